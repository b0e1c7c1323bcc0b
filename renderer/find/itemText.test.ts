import { describe, expect, it } from "vitest";
import { reviewMessage } from "../../preload/contract/reviewMessage";
import { agentItem, commandItem, userItem } from "../state/testThread";
import { itemText, plainMarkdown } from "./itemText";

describe("what of an item can be found", () => {
  it("is Markdown without the marks that nobody sees", () => {
    expect(plainMarkdown("## A **bold** word, `code_here` and [a link](src/a.ts:12)")).toBe(
      "A bold word, code_here and a link",
    );
    expect(plainMarkdown("- [x] *done*\n1. first\n> said")).toBe("done\nfirst\nsaid");
    expect(plainMarkdown("snake_case_name and 2 * 3 * 4")).toBe("snake_case_name and 2 * 3 * 4");
    expect(plainMarkdown("**quick**silver, ***both*** and a ** b")).toBe("quicksilver, both and a ** b");
  });

  it("is what is in a fence as it is, without the fence", () => {
    const text = "Before\n```ts\nconst a = `**x**`;\n# no heading\n```\n**after**";
    expect(plainMarkdown(text)).toBe("Before\nconst a = `**x**`;\n# no heading\nafter");
    expect(plainMarkdown("````\n```\nstill in\n```\n````\nout")).toBe("```\nstill in\n```\nout");
  });

  it("is comments on lines without the marks that the agent gets", () => {
    const place = { path: "src/a.ts", side: "new" as const, firstLine: 3, lastLine: 3 };
    const text = reviewMessage([{ ...place, quote: "const a = 1;", text: "Why?" }]);
    expect(itemText(userItem("u", text), undefined)).toBe("src/a.ts\nconst a = 1;\nWhy?");
    expect(itemText(userItem("u", `${text} `), undefined)).toBe(`${text} `);
  });

  it("is a command and what it printed, without colours", () => {
    expect(itemText(commandItem("c", "\u001b[31mred\u001b[0m words"), undefined)).toBe("ls\nred words");
  });

  it("is each changed line of a file, and its path from the folder", () => {
    const change = {
      path: "/work/src/a.ts",
      change: "update" as const,
      movedTo: null,
      diff: { text: "@@ -1 +1 @@ begin\n-old words\n+new words\n", droppedUnits: 0 },
      added: 1,
      removed: 1,
    };
    const { turnId, status, startedAtMs, completedAtMs } = agentItem("x");
    const item = {
      id: "f",
      turnId,
      status,
      startedAtMs,
      completedAtMs,
      kind: "fileChange" as const,
      changes: [change],
    };
    expect(itemText(item, "/work")).toBe("src/a.ts\nbegin\nold words\nnew words");
  });
});
