import { expect, it } from "vitest";
import type { Item } from "../../preload/contract/items";
import { agentItem } from "../state/testThread";
import { hasMessage, revertWords, turnsFrom, writerIn } from "./revertWords";

it("counts the turns that go with one", () => {
  const turnOrder = ["t1", "t2", "t3"];
  expect(["t1", "t3", "t4"].map((turnId) => turnsFrom({ turnOrder }, turnId))).toEqual([3, 1, 0]);
});

it("says how many turns go, that files stay, and what becomes of the message", () => {
  const one = revertWords(1, "person", false);
  expect(one.text).toMatch(/^This turn is taken out .* Files are not changed.*composer/);
  expect(one.confirmLabel).toBe("Go back and edit");
  expect(one.text).not.toMatch(/typed/);
  expect(revertWords(1, "person", true).text).toMatch(
    /composer, after what you have typed there, to be edited/,
  );
  const three = revertWords(3, null, true);
  expect(three.text).toMatch(/^This turn and the 2 turns after it are taken out/);
  expect(three.text).not.toMatch(/composer/);
  expect(three.confirmLabel).toBe("Go back to here");
});

it("names the commands that are ended with it, whichever turn they are of", () => {
  const commands = ["npm run dev"];
  expect(revertWords(1, "person", false, commands).text).toMatch(
    /^A command that still runs is ended: “npm run dev”\.\n\nThis turn is taken out/,
  );
});

it("says whose message goes back: a script's is not the person's", () => {
  const byRun = { runId: "run", scriptName: "Review a branch" };
  const { phase: _phase, gaps: _gaps, ...base } = agentItem("x");
  const user = (id: string, turnId: string, byScript: boolean): Item => ({
    ...base,
    id,
    turnId,
    kind: "user",
    clientId: id,
    attachments: [],
    ...(byScript && { byRun }),
  });
  const items = [user("a", "t1", true), user("b", "t2", true), user("c", "t2", false), agentItem("d")];
  const copy = {
    order: items.map(({ id }) => id),
    byId: Object.fromEntries(items.map((item) => [item.id, item])),
  };
  expect(["t1", "t2", "turn"].map((turnId) => writerIn(copy, turnId))).toEqual(["script", "person", null]);
  expect(hasMessage(copy, "t1")).toBe(true);
  expect(revertWords(1, "script", false).text).toMatch(/The script's message goes back to the composer/);
});
