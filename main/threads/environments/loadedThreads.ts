import type { ThreadLoadedListResponse } from "../../codex/protocol/v2/ThreadLoadedListResponse";
import type { Connection } from "../../supervisor/connection";

/** A list that never ends would be a fault of codex's. */
const maxPages = 200;

/** The ids of all threads that this codex has in memory. Rejects as a request does. */
export async function listLoaded({ client }: Connection): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer: ThreadLoadedListResponse = await client.request("thread/loaded/list", { cursor });
    ids.push(...answer.data);
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return ids;
}
