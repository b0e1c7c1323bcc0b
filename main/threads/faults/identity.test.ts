// Threads that codex has lost, that somebody else holds, that are listed in part, or that are made twice.

import { expect } from "vitest";
import { Fault } from "../../fault";
import { codexThread, codexTurn, resumed, started } from "../testCodexData";
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
  say,
  shown,
  T,
} from "../testRuntime";
import { settle } from "../testThreads";
import { expectAtRest, faults, newClientId, prepareFaults, recordIs, send } from "./testFaults";

prepareFaults();

const newKey = () => bench.threads.compose(bench.workspaceId);
/** codex makes threads of these ids, one after another. */
const makes = (...ids: string[]) => bench.rule("thread/start", () => started(ids.shift() ?? "too-many"));

faults("a history that codex has lost", [
  ...[
    `no rollout found for thread id ${T}`,
    `thread not found: ${T}`,
    "rollout file at /home/ada/.codex/sessions/r.jsonl is empty",
    `unknown thread ${T}`,
    `Thread Not Loaded: ${T}`,
    "no archived rollout found for it",
  ].map((words) => ({
    name: `"${words}": said plainly, what is on screen stays, it can be archived, and another thread works`,
    async play() {
      const window = await opened();
      await bench.cut();
      bench.rule("thread/resume", ({ params }) =>
        params.threadId === T ? new Error(words) : resumed(params.threadId, []),
      );
      bench.rule("thread/archive", () => new Error(words));
      await bench.reconnect();
      expect(window.head.fault).toMatchObject({ code: "history_lost", detail: words });
      expect(window.texts).toEqual(shown);
      send("Anybody?");
      await settle();
      expect(window.sending).toEqual(["Anybody?: undelivered"]);
      await bench.threads.actions.archive(T, false);
      expect(bench.rows.get(T)).toBeDefined();
      expect(bench.threads.rows.get(T)?.archived).toBe(true);
      addThread("other");
    },
    thenWorks: "other",
  })),
]);

faults("a thread in which no turn has ended", [
  {
    name: "is made anew for the next message after its process was killed; draft and settings go with it",
    async play() {
      makes("new-1", "new-2");
      const key = newKey();
      const window = bench.open(key);
      await bench.threads.runtime(key).ready();
      bench.ledger.drafts.put(bench.threads.draftKey(key), "Half a tho", []);
      await bench.kill();
      bench.rule("thread/resume", () => new Error("no rollout found for thread id new-1"));
      bench.rule("thread/turns/list", () => new Error("no rollout found for thread id new-1"));
      await bench.reconnect();
      const clientId = send("Go", "turn", key);
      await settle();
      expect(codex().only("thread/start"));
      expect(codex().only("turn/start").params).toMatchObject({
        threadId: "new-2",
        clientUserMessageId: clientId,
      });
      expect(window.head.fault).toBeNull();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t1") });
      codex().say("turn/completed", { threadId: "new-2", turn: codexTurn("t1", "completed") });
    },
    thenWorks: "new-2",
  },
  {
    name: "is made anew when codex has forgotten it between its making and its first message",
    async play() {
      makes("new-1", "new-2");
      bench.rule("thread/resume", () => new Error("thread not found: new-1"));
      bench.rule("turn/start", ({ params }) =>
        params.threadId === "new-1" ? new Error("thread not found: new-1") : { turn: codexTurn("t1") },
      );
      const key = newKey();
      const window = bench.open(key);
      send("Go", "turn", key);
      await settle();
      expect(codex().last("turn/start").params.threadId).toBe("new-2");
      expect(window.head).toMatchObject({ threadId: "new-2", fault: null });
      codex().say("turn/completed", { threadId: "new-2", turn: codexTurn("t1", "completed") });
    },
    thenWorks: "new-2",
  },
  {
    name: "after a first try that failed is made under a new id, with the text kept",
    async play() {
      bench.rule("thread/start", () => new Error("failed to create worktree: HEAD is unborn"));
      const key = newKey();
      const window = bench.open(key);
      const clientId = send("Go", "turn", key);
      await settle();
      expect(window.head.submissions).toMatchObject([{ text: "Go", state: "undelivered" }]);
      expect(window.head.submissions[0]?.fault?.message).toContain("HEAD is unborn");
      makes("new-1");
      bench.threads.runtime(key).delivery.resend(clientId);
      await settle();
      expect(codex().last("turn/start").params).toMatchObject({
        threadId: "new-1",
        clientUserMessageId: clientId,
      });
      codex()
        .last("turn/start")
        .answer({ turn: codexTurn("t1") });
      codex().say("turn/completed", { threadId: "new-1", turn: codexTurn("t1", "completed") });
    },
  },
]);

faults("a codex that knows the thread only after a resume on this very connection", [
  {
    name: "is resumed first after a restart, and the message goes out once",
    async play() {
      const window = await opened();
      await bench.kill();
      const isLoaded = () => codex().all("thread/resume").length > 0;
      bench.rule("turn/start", () => (isLoaded() ? undefined : new Error(`thread not found: ${T}`)));
      const id = send("Go");
      await later(1_000);
      expect(codex().only("turn/start").params.clientUserMessageId).toBe(id);
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      complete("t2");
      await later(3_000);
      expect(window.head.fault).toBeNull();
    },
  },
  ...["thread not found: thread-1", "Thread not loaded"].map((words) => ({
    name: `says "${words}" once: resumed once more, sent once more, shown once`,
    async play() {
      const window = await opened();
      const id = send("Go");
      await settle();
      codex().only("turn/start").refuse(words);
      await settle();
      expect(codex().all("thread/resume")).toHaveLength(2);
      expect(
        codex()
          .all("turn/start")
          .map(({ params }) => params.clientUserMessageId),
      ).toEqual([id, id]);
      codex()
        .last("turn/start")
        .answer({ turn: codexTurn("t2") });
      complete("t2");
      expect(window.sending).toHaveLength(1);
    },
  })),
  {
    name: "says so again and again: the message is back with its text",
    async play() {
      const window = await opened();
      bench.rule("turn/start", () => new Error("thread not found"));
      send("Go");
      await later(1_000);
      expect(window.sending).toEqual(["Go: undelivered"]);
      expect(codex().all("turn/start")).toHaveLength(2);
    },
  },
]);

const held = () => bench.rule("thread/resume", () => new Error(`thread ${T} already has an active writer`));

faults("a thread that another program has open", [
  {
    name: "can be read, says so plainly, and loads once it is free",
    async play() {
      held();
      const window = await opened();
      expect(window.head.fault).toMatchObject({ code: "open_elsewhere", retryable: true });
      expect(window.head.fault?.message).not.toMatch(/writer|Error|-32600/);
      expect(window.texts).toEqual(shown);
      recordIs([]);
      await runtime().reload();
      expect(window.head).toMatchObject({ fault: null, residency: "loaded" });
    },
  },
  {
    name: "is asked for ten times: ten answers, nothing left over, and never more than one request at a time",
    async play() {
      held();
      await opened();
      for (let press = 0; press < 10; press += 1)
        await runtime()
          .reload()
          .catch(() => undefined);
      expect(codex().all("thread/resume")).toHaveLength(11);
      expect(codex().all("thread/start")).toEqual([]);
      recordIs([]);
      await runtime().reload();
    },
  },
  {
    name: "gets a message all the same: it is back with its text and goes out when the thread is free",
    async play() {
      held();
      const window = await opened();
      const id = send("Go");
      await settle();
      expect(window.head.submissions).toMatchObject([
        { state: "undelivered", fault: { code: "open_elsewhere" } },
      ]);
      recordIs([]);
      runtime().delivery.resend(id);
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      complete("t2");
    },
  },
  {
    name: "can be copied, and the copy works",
    async play() {
      held();
      await opened();
      bench.rule("thread/fork", () => ({
        ...started("copy"),
        thread: codexThread("copy", { forkedFromId: T }),
      }));
      expect(await bench.threads.actions.fork(T, null)).toBe("copy");
      bench.rule("thread/resume", () => resumed("copy", [past]));
    },
    thenWorks: "copy",
  },
]);

faults("a message that is sent twice in one tick", [
  {
    name: "by Enter and Enter, in a thread that takes three seconds to make: one thread, one turn",
    async play() {
      bench.hold("thread/start");
      const key = newKey();
      bench.open(key);
      const message = { clientId: newClientId(), text: "Go", attachments: [], mode: "turn" as const };
      bench.threads.send(key, message);
      bench.threads.send(key, message);
      await later(3_000);
      codex().only("thread/start").answer(started("new-1"));
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t1") });
      codex().say("turn/completed", { threadId: "new-1", turn: codexTurn("t1", "completed") });
      await later(2_000);
      codex().only("turn/start");
    },
  },
  {
    name: "by a window each: one turn",
    async play() {
      await opened();
      await opened();
      const message = { clientId: newClientId(), text: "Go", attachments: [], mode: "turn" as const };
      bench.threads.send(T, message);
      await settle();
      bench.threads.send(T, message);
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      complete("t2");
    },
  },
  {
    name: "again long after it was delivered: nothing more is sent",
    async play() {
      const window = await opened();
      const message = { clientId: newClientId(), text: "Go", attachments: [], mode: "steer" as const };
      bench.threads.send(T, message);
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      begin("t2");
      complete("t2");
      await later(40_000);
      bench.threads.send(T, message);
      await settle();
      codex().only("turn/start");
      expect(window.head.run).toBeNull();
    },
  },
]);

faults("a list of many threads", [
  {
    name: "is asked for by folder, and page by page until there are no more",
    async play() {
      const mine = Array.from({ length: 10 }, (_, at) =>
        codexThread(`mine-${at}`, { preview: `Mine ${at}` }),
      );
      bench.rule("thread/list", ({ params }) => {
        expect(params.cwd).toBe(bench.folder);
        const at = Number(params.cursor ?? 0);
        return { data: mine.slice(at, at + 4), nextCursor: at + 4 < 10 ? String(at + 4) : null };
      });
      await bench.threads.list.refresh(bench.workspaceId);
      for (let page = 0; bench.threads.list.state(bench.workspaceId).hasMore && page < 5; page += 1)
        await bench.threads.list.more(bench.workspaceId, false);
      expect(bench.threads.rows.all.filter(({ title }) => title.startsWith("Mine"))).toHaveLength(10);
    },
  },
  {
    name: "that fails half way keeps what it has, says so, and goes on from there",
    async play() {
      bench.rule("thread/list", ({ params }) =>
        params.cursor
          ? new Error("database is locked")
          : { data: [codexThread("a", { preview: "A" })], nextCursor: "2" },
      );
      await bench.threads.list.refresh(bench.workspaceId);
      await bench.threads.list.more(bench.workspaceId, false);
      expect(bench.threads.list.state(bench.workspaceId).fault?.message).toContain("database is locked");
      bench.rule("thread/list", () => ({ data: [codexThread("b", { preview: "B" })], nextCursor: null }));
      await bench.threads.list.more(bench.workspaceId, false);
      expect(bench.threads.list.state(bench.workspaceId)).toMatchObject({ fault: null, hasMore: false });
      expect(bench.threads.rows.all.map(({ title }) => title)).toEqual(expect.arrayContaining(["A", "B"]));
    },
  },
  {
    name: "in which a thread is that somebody else made: it opens like any other",
    async play() {
      bench.rule("thread/list", () => ({
        data: [codexThread("theirs", { preview: "Theirs" })],
        nextCursor: null,
      }));
      await bench.threads.list.refresh(bench.workspaceId);
      bench.rule("thread/resume", () => resumed("theirs", [past]));
      const window = await opened("theirs");
      expect(window.texts).toEqual(shown);
      expect(codex().only("thread/resume").params.threadId).toBe("theirs");
    },
    thenWorks: "theirs",
  },
  {
    name: "in which a thread is that never answers: it says so after its deadline, and can be tried again",
    async play() {
      bench.hold("thread/resume");
      const window = await opened();
      await later(121_000);
      expect(window.head.fault).toMatchObject({ code: "deadline", retryable: true });
      recordIs([]);
      await runtime().reload();
      expect(window.texts).toEqual(shown);
    },
  },
]);

faults("archiving", [
  {
    name: "of a running thread asks first, and then interrupts it",
    async play() {
      const window = await opened();
      begin("t2");
      await expect(bench.threads.actions.archive(T, false)).rejects.toMatchObject({ code: "thread_running" });
      expect(codex().all("thread/archive")).toEqual([]);
      bench.rule("thread/archive", () => {
        complete("t2", "interrupted");
        codex().say("thread/status/changed", { threadId: T, status: { type: "notLoaded" } });
        codex().say("thread/archived", { threadId: T });
        return {};
      });
      await bench.threads.actions.archive(T, true);
      expect(window.head.archived).toBe(true);
      bench.rule("thread/unarchive", () => ({ thread: codexThread(T) }));
      recordIs([codexTurn("t2", "interrupted")]);
      await bench.threads.actions.unarchive(T);
      expectAtRest(window, "interrupted");
    },
  },
  ...["no rollout found for thread id thread-1", "thread is already archived", "session is archived"].map(
    (words) => ({
      name: `twice, the second answered with "${words}": it is so already`,
      async play() {
        await opened();
        bench.rule("thread/archive", () => new Error(words));
        await bench.threads.actions.archive(T, false);
        expect(bench.threads.rows.get(T)?.archived).toBe(true);
        bench.rule("thread/unarchive", () => new Error("no archived rollout found"));
        await bench.threads.actions.unarchive(T);
      },
    }),
  ),
  {
    name: "elsewhere, in the middle of a turn: followed, and the turn is over",
    async play() {
      const window = await opened();
      begin("t2");
      recordIs([codexTurn("t2", "interrupted")]);
      say("thread/archived");
      await later(3_000);
      expect(window.head).toMatchObject({ archived: true, run: null });
      say("thread/unarchived");
      await runtime().reload();
    },
  },
]);

faults("a project folder that is renamed", [
  {
    name: "between two turns, and its new place told: the next turn goes there",
    async play() {
      await opened();
      bench.folderFault = new Fault("folder_gone", "The folder is not there.", { retryable: true });
      const id = send("Go");
      await settle();
      expect(codex().all("turn/start")).toEqual([]);
      bench.folderFault = null;
      runtime().delivery.resend(id);
      await settle();
      codex()
        .only("turn/start")
        .answer({ turn: codexTurn("t2") });
      complete("t2");
    },
  },
]);
