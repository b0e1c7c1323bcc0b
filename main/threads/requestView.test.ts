import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Request, requestSchema } from "../../preload/contract/requests";
import { Fault } from "../fault";
import { itemKey } from "./itemView/itemKey";
import { type KnownRequest, viewRequest } from "./requestView";

const at = { threadId: "thread", turnId: "turn", itemId: "item", startedAtMs: 1 };

function known(method: string, params: unknown, files?: string[]): KnownRequest {
  const request = viewRequest({ key: "k", method, params, askedAtMs: 5, files });
  if (request.unknown) throw new Error(`expected a known request, got: ${request.reason}`);
  expect(requestSchema.parse(request.view)).toEqual(request.view);
  return request;
}

const labels = (request: KnownRequest) => request.view.decisions.map(({ label }) => label);
const ids = (request: KnownRequest) => request.view.decisions.map(({ id }) => id);

describe("commands", () => {
  const method = "item/commandExecution/requestApproval";
  /** As codex 0.171.0 sent it. */
  const recorded = {
    kind: "command",
    ...at,
    environmentId: "local",
    reason: "need it",
    command: "/bin/bash -lc 'git push origin main'",
    cwd: "/project",
    commandActions: [{ type: "unknown", command: "git push origin main" }],
    proposedExecpolicyAmendment: ["git", "push"],
    availableDecisions: [
      "accept",
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "push"] } },
      "cancel",
    ],
  };

  it("show what runs, where, why, and exactly the decisions offered, in codex's order", () => {
    const request = known(method, recorded);
    expect(request.view).toMatchObject({
      kind: "command",
      key: "k",
      threadId: "thread",
      turnId: "turn",
      itemId: itemKey("turn", "item"),
      askedAtMs: 5,
      answering: false,
      command: "git push origin main",
      cwd: "/project",
      reason: "need it",
      network: null,
    });
    expect(labels(request)).toEqual([
      "Approve",
      "Always allow commands that begin with “git push”",
      "Stop the turn",
    ]);
  });

  it("a lasting rule shows its exact prefix and answers with exactly that", () => {
    const request = known(method, recorded);
    const rule = request.view.decisions[1];
    expect(rule?.scope).toBe("git push");
    expect(request.answer(rule?.id ?? "")).toEqual({
      decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "push"] } },
    });
  });

  it("a prefix with spaces inside a word is shown quoted: it is not the same as more words", () => {
    const availableDecisions = [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: ["rm", "a b"] } }];
    expect(known(method, { ...recorded, availableDecisions }).view.decisions[0]?.scope).toBe("rm 'a b'");
  });

  it("a prefix that is long, or not what it looks like, does not stand on the button", () => {
    for (const word of ["a".repeat(41), "rm\u202e", "rm\n-rf"]) {
      const availableDecisions = [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: [word] } }];
      const [rule] = known(method, { ...recorded, availableDecisions }).view.decisions;
      expect(rule?.label).toBe("Always allow commands that begin with…");
      expect(rule?.scope).toContain(word);
    }
  });

  it("accept and decline only: no button for the session", () => {
    const request = known(method, { ...recorded, availableDecisions: ["accept", "decline"] });
    expect(labels(request)).toEqual(["Approve", "Decline"]);
    expect(request.answer("accept")).toEqual({ decision: "accept" });
    expect(request.answer("decline")).toEqual({ decision: "decline" });
    expect(request.answer("acceptForSession")).toBeInstanceOf(Fault);
  });

  it("none offered: the documented set, with what codex proposes", () => {
    const { availableDecisions: _none, ...older } = recorded;
    expect(labels(known(method, older))).toEqual([
      "Approve",
      "Approve for this session",
      "Always allow commands that begin with “git push”",
      "Decline",
      "Stop the turn",
    ]);
  });

  it("an empty offer leaves only refusals: nothing is granted that was not offered", () => {
    expect(ids(known(method, { ...recorded, availableDecisions: [] }))).toEqual(["decline", "cancel"]);
  });

  it("a rule whose scope cannot be told is not offered", () => {
    for (const prefix of [[], ["git", 7], "git", null]) {
      const availableDecisions = [
        { acceptWithExecpolicyAmendment: { execpolicy_amendment: prefix } },
        { applyNetworkPolicyAmendment: { network_policy_amendment: { host: "a", action: "maybe" } } },
        "decline",
      ];
      expect(ids(known(method, { ...recorded, availableDecisions }))).toEqual(["decline"]);
    }
  });

  it("a decision of a newer codex is shown under its own name and passed on unchanged", () => {
    const request = known(method, {
      ...recorded,
      availableDecisions: ["acceptForWeek", { acceptIf: { x: 1 } }],
    });
    expect(request.view.decisions.map(({ label, tone }) => [label, tone])).toEqual([
      ["acceptForWeek", "neutral"],
      ['{"acceptIf":{"x":1}}', "neutral"],
    ]);
    expect(request.answer(ids(request)[0] ?? "")).toEqual({ decision: "acceptForWeek" });
    expect(request.answer(ids(request)[1] ?? "")).toEqual({ decision: { acceptIf: { x: 1 } } });
  });

  it("permissions on top of the sandbox are shown with the approval", () => {
    const request = known(method, {
      ...recorded,
      additionalPermissions: {
        network: { enabled: true },
        fileSystem: {
          read: null,
          write: ["/x"],
          entries: [{ path: { type: "path", path: "/x" }, access: "write" }],
        },
      },
      availableDecisions: ["accept", "cancel"],
    });
    expect(request.view.decisions[0]?.scope).toBe("Network access\nRead and write /x");
  });

  it("a network access names the host; its lasting rules name it too", () => {
    const amendment = (action: string) => ({
      applyNetworkPolicyAmendment: { network_policy_amendment: { host: "example.com", action } },
    });
    const request = known(method, {
      ...at,
      networkApprovalContext: { host: "example.com", protocol: "https" },
      availableDecisions: ["accept", amendment("allow"), amendment("deny"), "decline"],
    });
    expect(request.view).toMatchObject({ network: "example.com (https)", command: "" });
    expect(labels(request)).toEqual([
      "Approve",
      "Always allow this host",
      "Always block this host",
      "Decline",
    ]);
    expect(request.view.decisions.slice(1, 3).map(({ scope }) => scope)).toEqual([
      "example.com",
      "example.com",
    ]);
    expect(request.answer(ids(request)[2] ?? "")).toEqual({ decision: amendment("deny") });
  });

  it("the older form answers in the older words", () => {
    const request = known("execCommandApproval", {
      conversationId: "thread",
      callId: "c",
      approvalId: null,
      command: ["/bin/bash", "-lc", "rm -r x"],
      cwd: "/project",
      reason: null,
      parsedCmd: [],
    });
    expect(request.view).toMatchObject({ command: "rm -r x", threadId: "thread", turnId: null, itemId: "c" });
    expect(request.answer("accept")).toEqual({ decision: "approved" });
    expect(request.answer("acceptForSession")).toEqual({ decision: "approved_for_session" });
    expect(request.answer("decline")).toEqual({ decision: { denied: { rejection: "The user declined." } } });
    expect(request.answer("cancel")).toEqual({ decision: "abort" });
  });
});

describe("file changes", () => {
  it("show the files that the caller knows, and the folder that is asked for", () => {
    const params = { ...at, reason: "outside", grantRoot: "/other" };
    const request = known("item/fileChange/requestApproval", params, ["/other/a"]);
    expect(request.view).toMatchObject({ kind: "fileChange", grantRoot: "/other", files: ["/other/a"] });
    expect(ids(request)).toEqual(["accept", "acceptForSession", "decline", "cancel"]);
    expect(request.view.decisions[1]?.scope).toBe("/other");
    expect(request.answer("acceptForSession")).toEqual({ decision: "acceptForSession" });
  });

  it("the older form brings its files along", () => {
    const fileChanges = { "/a": { type: "add", content: "" }, "/b": { type: "delete", content: "" } };
    const params = { conversationId: "thread", callId: "c", fileChanges, reason: null, grantRoot: null };
    expect(known("applyPatchApproval", params).view).toMatchObject({ files: ["/a", "/b"] });
  });
});

describe("permissions", () => {
  const method = "item/permissions/requestApproval";
  const permissions = {
    network: { enabled: true },
    fileSystem: {
      read: ["/etc"],
      write: ["/tmp/z"],
      entries: [
        { path: { type: "path", path: "/etc" }, access: "read" },
        { path: { type: "path", path: "/tmp/z" }, access: "write" },
        { path: { type: "special", value: { kind: "project_roots", subpath: "docs" } }, access: "deny" },
      ],
    },
  };

  it("are listed once each, and granted exactly as asked", () => {
    const request = known(method, { ...at, cwd: "/project", reason: "net", permissions });
    expect(request.view).toMatchObject({
      kind: "permissions",
      cwd: "/project",
      permissions: [
        "Network access",
        "Read /etc",
        "Read and write /tmp/z",
        "No access to the workspace (docs)",
      ],
    });
    expect(request.answer("accept")).toEqual({ permissions, scope: "turn" });
    expect(request.answer("acceptForSession")).toEqual({ permissions, scope: "session" });
    expect(request.answer("decline")).toEqual({ permissions: {}, scope: "turn" });
  });

  it("of a kind that cannot be named are neither shown nor granted", () => {
    const request = known(method, {
      ...at,
      cwd: "/",
      reason: null,
      permissions: { network: null, camera: { on: true } },
    });
    expect(request.view).toMatchObject({ permissions: [] });
    expect(ids(request)).toEqual(["decline"]);
  });
});

describe("questions of the agent", () => {
  const method = "item/tool/requestUserInput";
  const questions = [
    {
      id: "q1",
      header: "Pick",
      question: "Which?",
      isOther: true,
      isSecret: false,
      options: [
        { label: "A", description: "first" },
        { label: "B", description: "" },
      ],
    },
    { id: "q2", header: "Key", question: "Secret?", isOther: false, isSecret: true, options: null },
  ];

  it("become choices and fields; the answers go back by id", () => {
    const request = known(method, { ...at, questions, isBlocking: false, autoResolutionMs: null });
    expect(request.view).toMatchObject({
      kind: "questions",
      questions: [
        {
          kind: "choice",
          allowsText: true,
          options: [
            { value: "A", label: "A", description: "first" },
            { value: "B", label: "B", description: null },
          ],
        },
        { kind: "text", secret: true, options: [] },
      ],
    });
    expect(request.answer("accept", { q1: ["my own"], q2: ["s3cret"] })).toEqual({
      answers: { q1: { answers: ["my own"] }, q2: { answers: ["s3cret"] } },
    });
    expect(request.answer("decline")).toEqual({ answers: {} });
  });

  it("a missing answer is refused here and names the question", () => {
    const request = known(method, { ...at, questions });
    const refused = request.answer("accept", { q1: ["A"], q2: ["  "] });
    expect(refused).toBeInstanceOf(Fault);
    expect(refused).toMatchObject({ code: "answer_missing", message: "“Key” has no answer yet." });
  });
});

describe("what Holdfast does not answer", () => {
  it.each([
    "item/tool/call",
    "account/chatgptAuthTokens/refresh",
    "attestation/generate",
    "future/unknownRequest",
  ])("%s is unknown, with a sentence for the thread", (method) => {
    const request = viewRequest({ key: "k", method, params: { ...at }, askedAtMs: 1 });
    expect(request).toEqual({ unknown: true, reason: expect.stringContaining("codex") });
  });

  it("a request that does not say its thread is unknown too", () => {
    for (const params of [null, [], "x", {}, { threadId: 7 }]) {
      const method = "item/commandExecution/requestApproval";
      expect(viewRequest({ key: "k", method, params, askedAtMs: 1 }).unknown).toBe(true);
    }
  });
});

describe("whatever comes, nothing throws", () => {
  const methods = [
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "item/permissions/requestApproval",
    "item/tool/requestUserInput",
    "mcpServer/elicitation/request",
    "applyPatchApproval",
    "execCommandApproval",
    "item/tool/call",
  ];
  const names = [
    "turnId",
    "itemId",
    "reason",
    "command",
    "cwd",
    "availableDecisions",
    "proposedExecpolicyAmendment",
    "proposedNetworkPolicyAmendments",
    "networkApprovalContext",
    "additionalPermissions",
    "permissions",
    "questions",
    "mode",
    "message",
    "requestedSchema",
    "url",
    "_meta",
    "fileChanges",
    "grantRoot",
    "serverName",
  ];
  const pieces = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      "form",
      "url",
      "accept",
      { type: "object", properties: { __proto__x: { type: "string", enum: [1] } }, required: [7] },
      { codex_approval_kind: "mcp_tool_call", persist: 7, tool_params: { a: { b: 1 } } },
      [
        { acceptWithExecpolicyAmendment: 1 },
        { applyNetworkPolicyAmendment: { network_policy_amendment: [] } },
      ],
      { network: { enabled: null }, fileSystem: { entries: [{ path: 1, access: {} }], read: [1] } },
      [{ id: 1, question: 2, options: [{ label: 3 }, 4] }],
    ),
  );
  const params = fc
    .array(fc.tuple(fc.constantFrom(...names), pieces), { maxLength: 8 })
    .map((entries) => ({ threadId: "t", ...Object.fromEntries(entries) }));

  function check(view: Request, request: KnownRequest, answers: Record<string, string[]>): void {
    expect(requestSchema.parse(view)).toEqual(view);
    const offered = view.decisions.map(({ id }) => id);
    expect(new Set(offered).size).toBe(offered.length);
    expect(offered.length).toBeGreaterThan(0);
    for (const id of offered) {
      const answer = request.answer(id, answers);
      // What goes out is exactly what JSON can carry.
      if (!(answer instanceof Fault)) expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    }
    expect(request.answer("no such decision")).toBeInstanceOf(Fault);
  }

  it("every request is either unknown or fits the contract and can be answered", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...methods),
        fc.oneof(params, fc.jsonValue()),
        fc.dictionary(fc.string(), fc.array(fc.string())),
        (method, given, answers) => {
          const request = viewRequest({ key: "k", method, params: given, askedAtMs: 1 });
          if (!request.unknown) check(request.view, request, answers);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
