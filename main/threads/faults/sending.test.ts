// What a person sends or types, when codex refuses it, is silent about it, or goes away with it.

import { expect } from "vitest";
import { codexThread, codexTurn, listed, userItem } from "../testCodexData";
import { begin, bench, codex, complete, later, opened, runtime, shown, T } from "../testRuntime";
import { settle } from "../testThreads";
import { ends, expectAtRest, faults, newClientId, prepareFaults, recordIs, said, send } from "./testFaults";

prepareFaults();

const steered = async () => {
  const window = await opened();
  bench.rule("thread/read", () => ({
    thread: codexThread(T, {
      status: runtime().state.running ? { type: "active", activeFlags: [] } : { type: "idle" },
    }),
  }));
  begin("t2");
  const id = send("Left, please", "steer");
  await settle();
  return { window, id, asked: codex().only("turn/steer") };
};

faults("a message into a running turn", [
  {
    name: "that has just ended: it starts a turn of its own",
    async play() {
      const { window, id, asked } = await steered();
      asked.refuse("no active turn to steer");
      await settle();
      expect(codex().only("turn/start").params.clientUserMessageId).toBe(id);
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t3") });
      begin("t3");
      said("t3", "Left, please", id);
      ends("t3");
      await settle();
      expectAtRest(window);
      expect(window.sending).toEqual([]);
    },
  },
  {
    name: "that has just ended, with another begun right behind the refusal: that one stays the one that runs",
    async play() {
      const { window, id, asked } = await steered();
      complete("t2");
      asked.refuse("no active turn to steer");
      begin("t3");
      await later(3_000);
      expect(window.head.run?.turnId).toBe("t3");
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t3") });
      said("t3", "Left, please", id);
      recordIs([codexTurn("t3", "completed", [userItem("u-t3", "Left, please", id)])]);
      ends("t3");
      await settle();
      expectAtRest(window);
    },
  },
  ...["internal error", "invalid image url", "input too large"].map((words) => ({
    name: `that is refused with "${words}": it is back with its text and the words, and the turn goes on`,
    async play() {
      const { window, id, asked } = await steered();
      asked.refuse(words);
      await settle();
      expect(window.head.submissions).toMatchObject([{ text: "Left, please", state: "undelivered" }]);
      expect(window.head.submissions[0]?.fault?.message).toContain(words);
      expect(window.head.run?.turnId).toBe("t2");
      runtime().delivery.takeBack(id);
      ends("t2");
      expectAtRest(window);
    },
  })),
  {
    name: "that is not answered but taken up fifteen seconds later: shown once, sent once",
    async play() {
      const { window, id } = await steered();
      await later(15_000);
      said("t2", "Left, please", id);
      await later(20_000);
      expect(window.sending).toEqual([]);
      recordIs([codexTurn("t2", "completed", [userItem("u-t2", "Left, please", id)])]);
      ends("t2");
      await later(5_000);
      codex().only("turn/steer");
      expect(codex().all("turn/start")).toEqual([]);
      expect(window.texts.filter((text) => text.includes("Left"))).toHaveLength(1);
    },
  },
  {
    name: "that is never answered and never taken up: back with its text once nothing runs, and not sent again by itself",
    async play() {
      const { window } = await steered();
      await later(31_000);
      expect(window.head.submissions[0]?.fault?.code).toBe("delivery_unknown");
      recordIs([codexTurn("t2", "completed")]);
      ends("t2");
      await later(5_000);
      expect(window.sending).toEqual(["Left, please: undelivered"]);
      codex().only("turn/steer");
    },
  },
  {
    name: "while the connection goes, and codex has it: shown, and not sent again",
    async play() {
      const { window, id } = await steered();
      await bench.cut();
      recordIs([codexTurn("t2", "completed", [userItem("u-t2", "Left, please", id)])]);
      await bench.reconnect();
      await later(3_000);
      expect(window.sending).toEqual([]);
      expect(codex().all("turn/steer")).toEqual([]);
    },
  },
]);

faults("a message that starts a turn", [
  ...[
    ["invalid request", -32600],
    ["internal error", -32603],
    ["model not found: gpt-9", -32600],
  ].map(([words, code]) => ({
    name: `and is refused with "${words}": the text is back, and sending it again works`,
    async play() {
      const window = await opened();
      const id = send("Two\n\tlines");
      await settle();
      codex().only("turn/start").refuse(String(words), Number(code));
      await settle();
      expect(window.head.submissions).toMatchObject([{ text: "Two\n\tlines", state: "undelivered" }]);
      expectAtRest(window, "failed");
      runtime().delivery.resend(id);
      await settle();
      codex()
        .last("turn/start")
        .answer({ turn: codexTurn("t2") });
      begin("t2");
      said("t2", "Two\n\tlines", id);
      ends("t2");
      await settle();
      expect(window.sending).toEqual([]);
    },
  })),
  {
    name: "with pictures goes as paths, not as data, and keeps them when it is refused",
    async play() {
      const window = await opened();
      const picture = (name: string) => ({
        kind: "image" as const,
        path: `/pictures/${name}`,
        name,
        bytes: 8_000_000,
      });
      const attachments = [picture("a.png"), picture("b.png"), picture("c.png")];
      const clientId = newClientId();
      bench.threads.send(T, { clientId, text: "Look", attachments, mode: "turn" });
      await settle();
      const { params } = codex().only("turn/start");
      expect(JSON.stringify(params).length).toBeLessThan(2_000);
      expect(params.input).toMatchObject([
        { type: "text" },
        ...attachments.map(({ path }) => ({ type: "localImage", path })),
      ]);
      codex().only("turn/start").refuse("failed to read /pictures/b.png: No such file or directory");
      await settle();
      expect(window.head.submissions).toMatchObject([{ text: "Look", state: "undelivered", attachments }]);
      const back = runtime().delivery.takeBack(clientId);
      expect(back.attachments).toEqual(attachments);
      expectAtRest(window);
    },
  },
  {
    name: "and was shown, but not kept by a codex that was killed: it is back, and out of the conversation",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      begin("t2");
      said("t2", "Go", id);
      await bench.kill();
      recordIs([codexTurn("t2", "interrupted")]);
      await bench.reconnect();
      await later(2_000);
      expect(window.sending).toEqual(["Go: undelivered"]);
      expect(window.texts).toEqual(shown);
    },
  },
  {
    name: "of which nothing is heard, and another turn comes and goes while it is looked for: it is back all the same",
    async play() {
      const window = await opened();
      send("Go");
      await settle();
      await bench.cut();
      bench.hold("thread/queue/list");
      await bench.reconnect();
      await later(1_000);
      begin("t2");
      recordIs([codexTurn("t2", "completed")]);
      ends("t2");
      bench.rule("thread/queue/list", () => listed([]));
      codex().last("thread/queue/list").answer(listed([]));
      await later(3_000);
      expect(window.sending).toEqual(["Go: undelivered"]);
    },
  },
]);

faults("a draft", [
  ...["@w", "/", "$x", "", "\ud800 half a pair", "tab\tline\r\nline\u0000nul", "é".repeat(1_000_000)].map(
    (words) => ({
      name: `of ${JSON.stringify(words.slice(0, 24))} is there after a restart, and belongs to no other thread`,
      async play() {
        bench.ledger.drafts.put(T, words, []);
        await bench.restart({ codexLives: false });
        await bench.reconnect();
        const kept = bench.ledger.drafts.get(T)?.text ?? "";
        // A half of a pair is no character that could be kept; what is around it stays.
        const whole = words.split("\ud800").at(-1) ?? "";
        expect(kept.endsWith(whole)).toBe(true);
        expect(kept.length - whole.length).toBeLessThanOrEqual(words === whole ? 0 : 3);
        expect(bench.ledger.drafts.keys()).toEqual(words === "" ? [] : [T]);
      },
    }),
  ),
]);
