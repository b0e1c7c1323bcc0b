import type { Item } from "../../../preload/contract/items";
import { type LooseRecord, recordOf, stringOf, stringsOf, wordsOrNull } from "../loose";
import type { ItemBase } from "./base";

/** codex spells the actions in two ways, depending on where the item came from. */
export function viewWebSearch(base: ItemBase, item: LooseRecord): Item {
  const action = recordOf(item.action);
  const running = base.status === "running";
  const query = stringOf(item.query) || stringOf(action.query) || stringsOf(action.queries).join(", ");
  return {
    ...base,
    kind: "webSearch",
    query,
    action: actionWords(action, running),
    url: wordsOrNull(action.url),
  };
}

function actionWords(action: LooseRecord, running: boolean): string | null {
  switch (action.type) {
    case "search":
      return running ? "Searching the web" : "Searched the web";
    case "openPage":
    case "open_page":
      return running ? "Opening a page" : "Opened a page";
    case "findInPage":
    case "find_in_page": {
      const pattern = wordsOrNull(action.pattern);
      const what = pattern === null ? "" : ` for “${pattern}”`;
      return running ? `Looking${what} in a page` : `Looked${what} in a page`;
    }
    default:
      return null;
  }
}
