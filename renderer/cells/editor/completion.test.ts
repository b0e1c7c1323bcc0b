import { CompletionContext } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { completeAlone, completePlace, scriptCompletion } from "./completion";
import { testNames } from "./testNames";

/** What is offered at the bar in the text. */
function offered(marked: string, explicit = false): { labels: string[]; from: string } {
  const pos = marked.indexOf("|");
  const doc = marked.slice(0, pos) + marked.slice(pos + 1);
  const state = EditorState.create({ doc, extensions: javascript() });
  // However busy the machine is: while somebody types, what could not be read in time is read a moment later.
  ensureSyntaxTree(state, doc.length, 30_000);
  const context = new CompletionContext(state, pos, explicit);
  const result = completePlace(context, testNames) ?? completeAlone(context, testNames);
  return {
    labels: result?.options.map((option) => option.label) ?? [],
    from: result ? doc.slice(result.from, pos) : "",
  };
}

describe("after a dot", () => {
  test.each([
    ["await tools.|", ""],
    ["await tools.sta|", "sta"],
    // The next line would be read as going on from the dot.
    ['await tools.|\ntext("x");', ""],
    ["const all = [1].map(() => tools.st|)", "st"],
  ])("%s: the verbs", (marked, from) => {
    expect(offered(marked)).toEqual({ labels: ["startThread", "listThreads", "waitForTurn"], from });
  });

  test("of something else, its own", () => {
    expect(offered("console.|").labels).toEqual(["log"]);
    expect(offered("nothing.|").labels).toEqual([]);
    expect(offered("other.tools.|").labels).toEqual([]);
  });

  test.each([
    ["const turn = await tools.waitForTurn({ threadId });\nturn.|", ["status", "answer"]],
    ["const turn = (await tools.waitForTurn({ threadId }));\ntext(turn.an|)", ["status", "answer"]],
    ["const all = await tools.listThreads();\nfor (const one of all) text(one.|);", ["threadId", "title"]],
    ["const all = await tools.listThreads();\nall[0].|", ["threadId", "title"]],
    ["const all = await tools.listThreads();\nall.map((one) => one.|)", ["threadId", "title"]],
    [
      "const all = await tools.listThreads();\nall.filter((a) => a.title).find((one) => one.|)",
      ["threadId", "title"],
    ],
    [
      "const all = await tools.listThreads();\nconst first = all.find((a) => a.title);\nfirst.|",
      ["threadId", "title"],
    ],
    ["const all = await tools.listThreads();\nconst first = all[0];\nfirst.|", ["threadId", "title"]],
    [
      "const turns = await Promise.all(ids.map((threadId) => tools.waitForTurn({ threadId })));\nturns.forEach((turn) => turn.|)",
      ["status", "answer"],
    ],
    [
      "const turns = await Promise.all([tools.waitForTurn({ threadId: a })]);\nturns[0].|",
      ["status", "answer"],
    ],
  ])("%s: the fields of what a verb gives", (marked, labels) => {
    expect(offered(marked).labels).toEqual(labels);
  });

  test.each([
    // A list is no thread, and a promise no result.
    ["const all = await tools.listThreads();\nall.|"],
    ["const turn = tools.waitForTurn({ threadId });\nturn.|"],
    ["const turn = 5;\nturn.|"],
    ["const turn = await tools.waitForTurn({});\nturn.status.|"],
  ])("%s: nothing that is not known", (marked) => {
    expect(offered(marked).labels).toEqual([]);
  });

  test("the nearest of two of the same name counts", () => {
    const script =
      "const one = await tools.startThread({ text: '' });\nfor (const one of await tools.listThreads()) one.|";
    expect(offered(script).labels).toEqual(["threadId", "title"]);
  });
});

describe("inside the one argument", () => {
  test.each([
    ["await tools.startThread({ | })", ["text", "sandbox", "folder"]],
    ["await tools.startThread({ te|", ["text", "sandbox", "folder"]],
    ['await tools.startThread({ text: "a", | })', ["sandbox", "folder"]],
    ['await tools.startThread({\n  text: "a",\n  s|\n});\ntext(1);', ["sandbox", "folder"]],
    // The one that is typed is offered still.
    ["await tools.startThread({ text| })", ["text", "sandbox", "folder"]],
  ])("%s: the fields that are not there yet", (marked, labels) => {
    expect(offered(marked).labels).toEqual(labels);
  });

  test.each([
    ['await tools.startThread({ text: "a", sandbox: "|" })', ["read-only", "workspace-write"], ""],
    ['await tools.startThread({ text: "a", sandbox: "read|" })', ["read-only", "workspace-write"], "read"],
    ["await tools.startThread({ sandbox: | })", ['"read-only"', '"workspace-write"'], ""],
  ])("%s: the texts that the field takes", (marked, labels, from) => {
    expect(offered(marked)).toEqual({ labels, from });
  });

  test("a text of any kind is nothing to offer for", () => {
    expect(offered('await tools.startThread({ text: "no|" })').labels).toEqual([]);
  });

  test("another object inside it has other fields", () => {
    expect(offered("await tools.startThread({ text: f({ | }) })").labels).toEqual([]);
  });
});

test("what is taken out of a result", () => {
  expect(offered("const { | } = await tools.waitForTurn({ threadId });").labels).toEqual([
    "status",
    "answer",
  ]);
  expect(offered("for (const { t| } of await tools.listThreads()) {}").labels).toEqual(["threadId", "title"]);
});

describe("a name that stands alone", () => {
  test("is offered with the first letter, or when it is asked for", () => {
    expect(offered("te|").labels).toEqual(["text", "notify", "tools", "console"]);
    expect(offered("|").labels).toEqual([]);
    expect(offered("|", true).labels).toEqual(["text", "notify", "tools", "console"]);
  });

  test.each([["// te|"], ['text("to|")'], ["const te|"], ["const a = { te|: 1 }"], ["`to|`"]])(
    "%s: is not meant",
    (marked) => {
      expect(offered(marked).labels).toEqual([]);
    },
  );

  test("is meant inside a template", () => {
    expect(offered("`a $" + "{to|}`").labels).toContain("tools");
  });
});

test("words of the language and of the document are offered only where any name can stand", async () => {
  const labels = async (marked: string) => {
    const pos = marked.indexOf("|");
    const state = EditorState.create({ doc: marked.replace("|", ""), extensions: javascript() });
    ensureSyntaxTree(state, state.doc.length, 30_000);
    const context = new CompletionContext(state, pos, true);
    const results = await Promise.all(scriptCompletion(() => testNames).map((source) => source(context)));
    return results.flatMap((result) => result?.options.map((option) => option.label) ?? []);
  };
  expect(await labels("const mine = 1;\n|")).toEqual(
    expect.arrayContaining(["mine", "tools", "await", "Promise"]),
  );
  expect(await labels("const mine = 1;\ntools.|")).toEqual(["startThread", "listThreads", "waitForTurn"]);
  expect(await labels("const mine = 1;\ntools.waitForTurn({ | })")).toEqual(["threadId"]);
});
