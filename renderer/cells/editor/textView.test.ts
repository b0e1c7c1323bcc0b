import { history, undo } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { changeFromElsewhere, difference } from "./textView";

test.each([
  ["one two", "one and two", { from: 4, to: 4, insert: "and " }],
  ["one two", "one", { from: 3, to: 7, insert: "" }],
  ["", "new", { from: 0, to: 0, insert: "new" }],
  ["aa", "aaa", { from: 2, to: 2, insert: "a" }],
  ["abc", "xyz", { from: 0, to: 3, insert: "xyz" }],
])("from %j to %j only what differs is replaced", (before, after, change) => {
  const found = difference(before, after);
  expect(found).toEqual(change);
  expect(before.slice(0, found.from) + found.insert + before.slice(found.to)).toBe(after);
});

test("what is typed just before and after a change from elsewhere is undone apart from it", () => {
  let state = EditorState.create({ doc: "one();\n", extensions: history() });
  const texts: string[] = [];
  const step = (insert: string) => {
    const at = state.doc.length;
    state = state.update({ changes: { from: at, insert }, userEvent: "input.type" }).state;
    texts.push(state.doc.toString());
  };
  step("mine();\n");
  state = state.update(changeFromElsewhere(state.doc.toString(), "one();\ntheirs();\n")).state;
  texts.push(state.doc.toString());
  step("more();\n");
  while (texts.length > 0) {
    expect(state.doc.toString()).toBe(texts.pop());
    const before = state;
    undo({
      state,
      dispatch: (transaction) => {
        state = transaction.state;
      },
    });
    expect(state).not.toBe(before);
  }
  expect(state.doc.toString()).toBe("one();\n");
});
