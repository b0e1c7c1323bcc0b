// Stop that cannot be sent yet, answers that never come, and runs that are many, or lose their folder.

import { expect } from "vitest";
import { Fault } from "../../fault";
import { codexThread, codexTurn, resumed } from "../testCodexData";
import {
  addThread,
  begin,
  bench,
  codex,
  complete,
  later,
  opened,
  past,
  runtime,
  shown,
  status,
  T,
} from "../testRuntime";
import { settle } from "../testThreads";
import { ends, expectAtRest, faults, prepareFaults, recordIs, said, send } from "./testFaults";

prepareFaults();

const interrupts = () => codex().all("turn/interrupt");

faults("Stop before codex has named the turn", [
  {
    name: "is sent right after the answer that names it",
    async play() {
      const window = await opened();
      const id = send("Go");
      await later(1_000);
      await runtime().stop();
      expect(window.head.run?.stopping).toBe(true);
      await later(9_000);
      expect(interrupts()).toEqual([]);
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      expect(interrupts().map(({ params }) => params.turnId)).toEqual(["t2"]);
      said("t2", "Go", id);
      interrupts()[0]?.answer({});
      ends("t2", "interrupted");
      await settle();
      expectAtRest(window, "interrupted");
    },
  },
  {
    name: "is sent right after the start that names it",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      await runtime().stop();
      begin("t2");
      expect(interrupts().map(({ params }) => params.turnId)).toEqual(["t2"]);
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      said("t2", "Go", id);
      await settle();
      expect(interrupts()).toHaveLength(1);
      ends("t2", "interrupted");
      await settle();
      expectAtRest(window, "interrupted");
    },
  },
  {
    name: "pressed three times is one wish",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      for (let press = 0; press < 3; press += 1) await runtime().stop();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      expect(interrupts()).toHaveLength(1);
      said("t2", "Go", id);
      ends("t2", "interrupted");
      await settle();
      expectAtRest(window, "interrupted");
    },
  },
  {
    name: "of a turn that is over before it could be stopped: it is simply over",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      await runtime().stop();
      const asked = codex().only("turn/start");
      begin("t2");
      said("t2", "Go", id);
      ends("t2");
      asked.answer({ turn: codexTurn("t2") });
      interrupts()[0]?.refuse("no active turn to interrupt");
      await settle();
      expectAtRest(window);
      expect(window.texts.filter((text) => text.startsWith("notice"))).toEqual([]);
    },
  },
  {
    name: "while the thread is still being loaded: nothing is sent, and the text is back",
    async play() {
      bench.hold("thread/resume");
      const window = await opened();
      const id = send("Go");
      await settle();
      await runtime().stop();
      recordIs([]);
      codex()
        .only("thread/resume")
        .answer(resumed(T, [past]));
      await settle();
      expect(codex().all("turn/start")).toEqual([]);
      expect(window.sending).toEqual(["Go: undelivered"]);
      bench.threads.runtime(T).delivery.takeBack(id);
      expectAtRest(window);
    },
  },
  {
    name: "of a turn that somebody else began",
    async play() {
      const window = await opened();
      status("active");
      await runtime().stop();
      expect(interrupts()).toEqual([]);
      begin("t2");
      expect(interrupts().map(({ params }) => params.turnId)).toEqual(["t2"]);
      ends("t2", "interrupted");
      expectAtRest(window, "interrupted");
    },
  },
]);

faults("codex that never answers", [
  {
    name: "a resume: another thread opens and works meanwhile, and this one can be retried",
    async play() {
      addThread("other");
      bench.rule("thread/resume", ({ params }) => (params.threadId === T ? undefined : resumed("other", [])));
      const window = await opened();
      const other = await opened("other");
      expect(other.head.residency).toBe("loaded");
      send("Over there", "turn", "other");
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      codex().say("turn/completed", { threadId: "other", turn: codexTurn("t2", "completed") });
      await later(121_000);
      expect(window.head.fault).toMatchObject({ code: "deadline", retryable: true });
      recordIs([]);
      await runtime().reload();
      expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
      expect(window.texts).toEqual(shown);
    },
  },
  {
    name: "the second of two Stops",
    async play() {
      const window = await opened();
      begin("t2");
      await runtime().stop();
      interrupts()[0]?.answer({});
      await runtime().stop();
      ends("t2", "interrupted");
      await later(20_000);
      expectAtRest(window, "interrupted");
      expect(window.texts.filter((text) => text.startsWith("notice"))).toEqual([]);
    },
  },
  {
    name: "Stop at all: it is said, and the turn goes on until codex says otherwise",
    async play() {
      const window = await opened();
      bench.rule("thread/read", () => ({
        thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
      }));
      begin("t2");
      await runtime().stop();
      await later(16_000);
      expect(window.head.run).toMatchObject({ turnId: "t2", stopping: true });
      expect(window.texts.at(-1)).toMatch(/Stop was not confirmed/);
      ends("t2", "interrupted");
      expect(window.head.run).toBeNull();
    },
  },
  {
    name: "how a silent thread is: the turn stays, and ends when codex is heard again",
    async play() {
      const window = await opened();
      bench.rule("thread/read", () => undefined);
      begin("t2");
      await later(60_000);
      expect(window.head.run?.turnId).toBe("t2");
      ends("t2");
      expectAtRest(window);
    },
  },
  {
    name: "that a thread is let go: it can be opened again",
    async play() {
      bench.rule("thread/unsubscribe", () => undefined);
      const window = await opened();
      bench.close(window);
      await later(31_000);
      const again = await opened();
      await later(6_000);
      expect(again.head.residency).toBe("loaded");
      expect(again.texts).toEqual(shown);
    },
  },
]);

faults("many turns in a row", [
  {
    name: "thirty messages, with the settings changed between them: thirty turns",
    async play() {
      const window = await opened();
      bench.rule("thread/settings/update", () => ({}));
      for (let turn = 2; turn < 32; turn += 1) {
        const id = send(`Message ${turn}`);
        if (turn % 3 === 0)
          await runtime().setSettings({ ...window.head.settings, effort: turn % 2 ? "low" : "high" });
        await settle();
        const asked = codex().last("turn/start");
        expect(asked.params.clientUserMessageId).toBe(id);
        if (turn % 2 === 0) asked.answer({ turn: codexTurn(`t${turn}`) });
        begin(`t${turn}`);
        said(`t${turn}`, `Message ${turn}`, id);
        ends(`t${turn}`);
        if (turn % 2 === 1) asked.answer({ turn: codexTurn(`t${turn}`) });
        if (turn % 5 === 0) await later(50);
      }
      await settle();
      expect(codex().all("turn/start")).toHaveLength(30);
      expect(window.texts.filter((text) => text.includes("Message"))).toHaveLength(30);
      expectAtRest(window);
    },
  },
  {
    name: "of which every third is refused: each is with codex or back, and none keeps the thread busy",
    async play() {
      const window = await opened();
      for (let turn = 2; turn < 14; turn += 1) {
        const id = send(`Message ${turn}`);
        await settle();
        const asked = codex().last("turn/start");
        if (turn % 3 === 0) {
          asked.refuse("rate limited");
          await settle();
          runtime().delivery.takeBack(id);
        } else {
          asked.answer({ turn: codexTurn(`t${turn}`) });
          begin(`t${turn}`);
          said(`t${turn}`, `Message ${turn}`, id);
          ends(`t${turn}`);
        }
        await settle();
        expectAtRest(window);
      }
    },
  },
  {
    name: "and codex, too busy, refuses a few times before it takes one: it is sent until it is taken",
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      for (let busy = 0; busy < 3; busy += 1) {
        codex().last("turn/start").refuse("server overloaded", -32001);
        await later(3_000);
      }
      expect(
        codex()
          .all("turn/start")
          .map(({ params }) => params.clientUserMessageId),
      ).toEqual([id, id, id, id]);
      codex()
        .last("turn/start")
        .answer({ turn: codexTurn("t2") });
      begin("t2");
      said("t2", "Go", id);
      ends("t2");
      await settle();
      expectAtRest(window);
    },
  },
]);

faults("what shows that a thread runs", [
  {
    name: "flips in the list and in the thread while another one is open and its own window is away",
    async play() {
      addThread("other");
      await opened("other");
      begin("t2");
      expect(bench.rows.get(T)).toBe("Title: running");
      recordIs([codexTurn("t2", "completed")]);
      ends("t2");
      expect(bench.rows.get(T)).toMatch(/idle|not loaded/);
      expectAtRest(await opened());
    },
  },
  {
    name: "flips in two windows of the thread and in the list, from one fact",
    async play() {
      const [one, two] = [await opened(), await opened()];
      begin("t2");
      for (const head of [one.head, two.head]) expect(head.state).toBe("running");
      ends("t2");
      for (const window of [one, two]) expectAtRest(window);
      expect(bench.rows.get(T)).toBe("Title: idle");
    },
  },
  {
    name: "is right in a window that is opened in the very tick of the end",
    async play() {
      await opened();
      begin("t2");
      status("idle");
      const late = bench.open(T);
      complete("t2");
      await settle();
      expectAtRest(late);
    },
  },
]);

const gone = () => {
  bench.folderFault = new Fault("folder_gone", "The folder is not there.", { retryable: true });
};
const back = () => {
  bench.folderFault = null;
};

faults("a folder that is taken away", [
  {
    name: "under a running turn: it is said at the next look, and taken back when the folder is there again",
    async play() {
      const window = await opened();
      bench.rule("thread/read", () => ({
        thread: codexThread(T, { status: { type: "active", activeFlags: [] } }),
      }));
      begin("t2");
      gone();
      await later(11_000);
      expect(window.head.fault?.code).toBe("folder_gone");
      expect(window.head.run?.turnId).toBe("t2");
      back();
      await later(6_000);
      expect(window.head.fault).toBeNull();
      ends("t2");
      expectAtRest(window);
    },
  },
  {
    name: "between two turns: the message is not sent into nothing, its text is kept, and goes out later",
    async play() {
      const window = await opened();
      gone();
      const id = send("Go");
      await settle();
      expect(codex().all("turn/start")).toEqual([]);
      expect(window.head.submissions).toMatchObject([
        { state: "undelivered", fault: { code: "folder_gone" } },
      ]);
      back();
      runtime().delivery.resend(id);
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      begin("t2");
      said("t2", "Go", id);
      ends("t2");
      await settle();
      expectAtRest(window);
    },
  },
  {
    name: "before the thread is opened: what was said can be read, and it loads once the folder is back",
    async play() {
      gone();
      const window = await opened();
      expect(window.head.fault?.code).toBe("folder_gone");
      expect(window.texts).toEqual(shown);
      back();
      await runtime().reload();
      expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
    },
  },
]);
