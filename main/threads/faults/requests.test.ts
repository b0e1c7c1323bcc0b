// What codex asks: each request gets one answer, from the person who saw it, whatever happens in between.

import { expect } from "vitest";
import { codexTurn, commandApproval, resumed } from "../testCodexData";
import { begin, bench, codex, complete, later, opened, past, say, status, T } from "../testRuntime";
import { settle, type TestWindow } from "../testThreads";
import { ends, expectAtRest, faults, prepareFaults, recordIs } from "./testFaults";

prepareFaults();

const commandMethod = "item/commandExecution/requestApproval";
const asks = (id: number | string, more: Record<string, unknown> = {}) =>
  codex().ask(id, commandMethod, commandApproval(T, "t2", more));
const asked = async () => {
  const window = await opened();
  begin("t2");
  return window;
};
const keyOf = (window: TestWindow, at = 0) => window.head.requests[at]?.key ?? "none";
const answer = (requestKey: string, decisionId = "accept") =>
  bench.threads.answer({ requestKey, decisionId });
const decisions = () =>
  codex().answers.map(({ id, result }) => [id, (result as { decision?: unknown })?.decision]);
const goesOn = () =>
  bench.rule("thread/resume", () =>
    resumed(T, [past, codexTurn("t2", "inProgress")], { status: "active", flags: ["waitingOnApproval"] }),
  );
const over = () => {
  recordIs([codexTurn("t2", "completed")]);
  ends("t2");
};

faults("a request that waits while the connection goes", [
  ...[7, "seven", 0].map((id) => ({
    name: `is still shown, comes again as ${JSON.stringify(id)}, and is answered once`,
    async play() {
      const window = await asked();
      asks(id);
      await bench.cut();
      expect(window.head.state).toBe("waiting for approval");
      goesOn();
      await bench.reconnect();
      asks(id);
      expect(window.head.requests).toHaveLength(1);
      expect(answer(keyOf(window))).toBe("sent");
      expect(decisions()).toEqual([[id, "accept"]]);
      say("serverRequest/resolved", { requestId: id });
      expect(window.head.requests).toEqual([]);
      over();
    },
  })),
  {
    name: "and comes again before the answer to the resume: shown once, answered once",
    async play() {
      const window = await asked();
      asks(7);
      await bench.cut();
      bench.hold("thread/resume");
      await bench.reconnect();
      asks(7);
      const running = codexTurn("t2", "inProgress");
      codex()
        .only("thread/resume")
        .answer(resumed(T, [past, running], { status: "active" }));
      await settle();
      expect(window.head.requests).toHaveLength(1);
      answer(keyOf(window), "decline");
      expect(decisions()).toEqual([[7, "decline"]]);
      over();
    },
  },
  {
    name: "is there again in a window that is closed and opened while it waits",
    async play() {
      const window = await asked();
      asks(7);
      bench.close(window);
      const again = await opened();
      expect(again.head.requests).toHaveLength(1);
      answer(keyOf(again));
      expect(decisions()).toEqual([[7, "accept"]]);
      over();
    },
  },
  {
    name: "and never comes again, since codex had got the answer: it is gone",
    async play() {
      const window = await asked();
      asks(7);
      answer(keyOf(window));
      await bench.cut();
      goesOn();
      await bench.reconnect();
      expect(window.head).toMatchObject({ requests: [], state: "running" });
      over();
    },
  },
  {
    name: "with its process: it is gone, and the next process's request of the same id is another",
    async play() {
      const window = await asked();
      asks(0);
      const old = keyOf(window);
      await bench.kill();
      expect(window.head.requests).toEqual([]);
      recordIs([codexTurn("t2", "interrupted")]);
      await bench.reconnect();
      begin("t3");
      codex().ask(0, commandMethod, commandApproval(T, "t3"));
      expect(answer(old)).toBe("gone");
      expect(codex().answers).toEqual([]);
      answer(keyOf(window), "decline");
      expect(decisions()).toEqual([[0, "decline"]]);
      complete("t3");
    },
  },
]);

faults("a card that is no longer true", [
  {
    name: "answered elsewhere in the tick of the click: the click does nothing, and says so",
    async play() {
      const window = await asked();
      asks(3);
      const key = keyOf(window);
      say("serverRequest/resolved", { requestId: 3 });
      expect(answer(key)).toBe("gone");
      expect(codex().answers).toEqual([]);
      expect(window.head.requests).toEqual([]);
      over();
    },
  },
  ...["interrupted", "completed", "failed"].map((how) => ({
    name: `of a turn that is ${how}: gone with it, and a late click does nothing`,
    async play() {
      const window = await asked();
      asks(3);
      const key = keyOf(window);
      complete("t2", how);
      expect(window.head.requests).toEqual([]);
      expect(answer(key)).toBe("gone");
      expect(codex().answers).toEqual([]);
    },
  })),
  {
    name: "of a thread that is idle, whatever became of the turn's end",
    async play() {
      const window = await asked();
      asks(3);
      recordIs([codexTurn("t2", "interrupted")]);
      status("idle");
      expect(window.head.requests).toEqual([]);
      await later(2_000);
    },
  },
  {
    name: "of an earlier turn, when the next one asks at once: only that one is shown",
    async play() {
      const window = await asked();
      asks(3);
      complete("t2", "interrupted");
      begin("t3");
      codex().ask(4, commandMethod, commandApproval(T, "t3"));
      expect(window.head.requests).toMatchObject([{ turnId: "t3" }]);
      answer(keyOf(window));
      expect(decisions()).toEqual([[4, "accept"]]);
      complete("t3");
    },
  },
  {
    name: "resolved a second time, or by an id that nobody knows: nothing happens",
    async play() {
      const window = await asked();
      asks(3);
      for (const requestId of ["3", 4, null, {}]) say("serverRequest/resolved", { requestId });
      expect(window.head.requests).toHaveLength(1);
      for (const requestId of [3, 3]) say("serverRequest/resolved", { requestId });
      expect(window.head.requests).toEqual([]);
      over();
    },
  },
]);

faults("several requests at once", [
  ...[
    [0, "a1"],
    [1, "1"],
    ["", 0],
  ].map(([first = "", second = ""]) => ({
    name: `with the ids ${JSON.stringify(first)} and ${JSON.stringify(second)}: each click answers the one that it was drawn for`,
    async play() {
      const window = await asked();
      asks(first, { command: "first" });
      const drawn = keyOf(window);
      asks(second, { command: "second", itemId: "call_2" });
      expect(window.head.requests).toHaveLength(2);
      expect(answer(drawn)).toBe("sent");
      expect(decisions()).toEqual([[first, "accept"]]);
      answer(keyOf(window, 1), "decline");
      expect(decisions()).toEqual([
        [first, "accept"],
        [second, "decline"],
      ]);
      over();
    },
  })),
  {
    name: "and each is clicked twice, and in two windows: one answer each",
    async play() {
      const window = await asked();
      const other = await opened();
      for (const id of [1, 2, 3]) asks(id, { itemId: `call_${id}` });
      const keys = window.head.requests.map(({ key }) => key);
      expect(other.head.requests.map(({ key }) => key)).toEqual(keys);
      for (const key of [...keys, ...keys]) answer(key);
      expect(decisions()).toEqual([1, 2, 3].map((id) => [id, "accept"]));
      over();
    },
  },
  {
    name: "a hundred of them: all are shown, and all are gone with the turn",
    async play() {
      const window = await asked();
      for (let id = 0; id < 100; id += 1) asks(id, { itemId: `call_${id}` });
      expect(window.head.requests).toHaveLength(100);
      expect(bench.waiting).toHaveLength(100);
      over();
      expect(bench.waiting).toEqual([]);
      expectAtRest(window);
    },
  },
]);

const about = { threadId: T, turnId: "t2", itemId: "call_1" };

faults("something that Holdfast may not know", [
  ...[
    ["future/unknownRequest", about],
    ["item/tool/call", { ...about, tool: "draw", arguments: {} }],
    ["attestation/generate", { threadId: T }],
    ["account/chatgptAuthTokens/refresh", { reason: "unauthorized" }],
    ["future/withoutParams", null],
    ["item/tool/requestUserInput", { ...about, questions: [] }],
    [commandMethod, ["not", "an", "object"]],
    [commandMethod, { command: "rm -rf /" }],
  ].map(([method, params]) => ({
    name: `${method} with ${JSON.stringify(params)}: refused once as not known, and the turn goes on`,
    async play() {
      const window = await asked();
      codex().transport.say({ id: 99, method, params });
      await settle();
      expect(codex().answers).toMatchObject([{ id: 99, error: { code: -32601 } }]);
      expect(window.head).toMatchObject({ state: "running", requests: [] });
      const isAboutThread = typeof params === "object" && params !== null && "threadId" in params;
      expect(window.texts.filter((text) => text.startsWith("notice"))).toHaveLength(isAboutThread ? 1 : 0);
      over();
    },
  })),
  ...[
    ["a form of an MCP server", "mcpServer/elicitation/request", formOf("form"), "waiting for answer"],
    ["an address of an MCP server", "mcpServer/elicitation/request", formOf("url"), "waiting for answer"],
    [
      "permissions",
      "item/permissions/requestApproval",
      { ...about, startedAtMs: 1, cwd: "/", reason: null, permissions: { network: { enabled: true } } },
      "waiting for approval",
    ],
    [
      "a question",
      "item/tool/requestUserInput",
      {
        ...about,
        autoResolutionMs: null,
        questions: [
          { id: "q", header: "H", question: "Which?", isOther: false, isSecret: false, options: null },
        ],
      },
      "waiting for answer",
    ],
  ].map(([what, method, params, state]) => ({
    name: `${what}: shown, and answered exactly once whatever the answer is`,
    async play() {
      const window = await asked();
      codex().ask(5, String(method), params as Record<string, unknown>);
      expect(window.head.state).toBe(state);
      const last = window.head.requests[0]?.decisions.at(-1)?.id ?? "none";
      expect(answer(keyOf(window), last)).toBe("sent");
      expect(answer(keyOf(window), last)).toBe("gone");
      expect(codex().answers.map(({ id }) => id)).toEqual([5]);
      say("serverRequest/resolved", { requestId: 5 });
      over();
    },
  })),
]);

function formOf(mode: "form" | "url"): Record<string, unknown> {
  const base = { threadId: T, turnId: "t2", serverName: "docs", message: "Please", mode, _meta: null };
  if (mode === "url") return { ...base, url: "https://example.org/login", elicitationId: "e" };
  return {
    ...base,
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: [] },
  };
}

const offered = (window: TestWindow) =>
  window.head.requests[0]?.decisions.map(({ label, scope }) => [label, scope]);

faults("what an approval offers", [
  {
    name: "is exactly what codex offers: no button for the session when there is none",
    async play() {
      const window = await asked();
      asks(1, { availableDecisions: ["accept", "decline"] });
      expect(window.head.requests[0]?.decisions).toHaveLength(2);
      expect(JSON.stringify(offered(window))).not.toMatch(/session/i);
      over();
    },
  },
  {
    name: "names the exact prefix of a lasting rule, and grants no more than that",
    async play() {
      const window = await asked();
      const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "push"] } };
      asks(1, { availableDecisions: ["accept", amendment, "cancel"] });
      expect(JSON.stringify(window.head.requests)).toContain("git push");
      answer(keyOf(window), window.head.requests[0]?.decisions[1]?.id);
      expect(decisions()).toEqual([[1, amendment]]);
      over();
    },
  },
  {
    name: "is refused when it was never offered, and the request stays",
    async play() {
      const window = await asked();
      asks(1, { availableDecisions: ["decline"] });
      expect(() => answer(keyOf(window), "acceptForSession")).toThrow();
      expect(codex().answers).toEqual([]);
      expect(window.head.requests).toHaveLength(1);
      over();
    },
  },
]);
