import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldTextUnits, type Item, itemSchema } from "../../preload/contract/items";
import type { ThreadItem } from "../codex/protocol/v2/ThreadItem";
import { type ItemContext, viewItem } from "./itemView";
import { itemKey } from "./itemView/itemKey";
import recordedItems from "./itemView/recordedItems.json";

const ended: ItemContext = { turnId: "turn-1", running: false };
const running: ItemContext = { turnId: "turn-1", running: true };

function view(item: unknown, context = ended): Item {
  const seen = viewItem(item, context);
  expect(itemSchema.parse(seen)).toEqual(seen);
  return seen;
}

type TypeOf = ThreadItem["type"];

/** One example of every type in the protocol: a new one there fails to compile here. */
const examples: { [Type in TypeOf]: { item: Extract<ThreadItem, { type: Type }>; kind: Item["kind"] } } = {
  userMessage: {
    kind: "user",
    item: {
      type: "userMessage",
      id: "u",
      clientId: "client-1",
      content: [{ type: "text", text: "Hello", text_elements: [] }],
    },
  },
  hookPrompt: {
    kind: "hook",
    item: {
      type: "hookPrompt",
      id: "h",
      fragments: [
        { text: "one", hookRunId: "r" },
        { text: "two", hookRunId: "r" },
      ],
    },
  },
  agentMessage: {
    kind: "agent",
    item: {
      type: "agentMessage",
      id: "a",
      text: "Hi",
      phase: "final_answer",
      moderation: null,
      memoryCitation: null,
      delivery: null,
      questions: null,
    },
  },
  functionCallOutput: {
    kind: "toolCall",
    item: { type: "functionCallOutput", id: "f", name: "lookup", namespace: "docs", output: "found" },
  },
  plan: { kind: "plan", item: { type: "plan", id: "p", text: "1. Look" } },
  reasoning: {
    kind: "reasoning",
    item: { type: "reasoning", id: "r", summary: ["**A**", "B"], content: ["raw"] },
  },
  commandExecution: {
    kind: "command",
    item: {
      type: "commandExecution",
      id: "c",
      pluginId: null,
      scriptPath: null,
      command: "/bin/bash -lc 'git status'",
      cwd: "/project",
      processId: "1",
      source: "unifiedExecStartup",
      status: "completed",
      commandActions: [{ type: "unknown", command: "git status" }],
      aggregatedOutput: "clean\n",
      exitCode: 0,
      durationMs: 12,
    },
  },
  fileChange: {
    kind: "fileChange",
    item: {
      type: "fileChange",
      id: "fc",
      status: "completed",
      changes: [{ path: "/project/a.txt", kind: { type: "add" }, diff: "one\ntwo\n" }],
    },
  },
  mcpToolCall: {
    kind: "toolCall",
    item: {
      type: "mcpToolCall",
      id: "m",
      server: "github",
      environmentId: null,
      tool: "search",
      status: "completed",
      arguments: { q: "x" },
      appContext: null,
      mcpAppUi: null,
      pluginId: null,
      readOnlyHint: true,
      result: { content: [{ type: "text", text: "3 hits" }], structuredContent: null, _meta: null },
      error: null,
      durationMs: 5,
    },
  },
  dynamicToolCall: {
    kind: "toolCall",
    item: {
      type: "dynamicToolCall",
      id: "d",
      namespace: null,
      tool: "ask",
      arguments: {},
      status: "completed",
      contentItems: [{ type: "inputText", text: "yes" }],
      success: true,
      durationMs: null,
    },
  },
  collabAgentToolCall: {
    kind: "subAgent",
    item: {
      type: "collabAgentToolCall",
      id: "co",
      tool: "spawnAgent",
      status: "completed",
      senderThreadId: "t1",
      receiverThreadIds: ["t2"],
      prompt: "Count",
      model: null,
      reasoningEffort: null,
      agentsStates: { t2: { status: "errored", message: "no" } },
    },
  },
  subAgentActivity: {
    kind: "subAgent",
    item: {
      type: "subAgentActivity",
      id: "s",
      model: null,
      reasoningEffort: null,
      kind: "completed",
      agentThreadId: "t2",
      agentPath: "/root/counter",
    },
  },
  webSearch: {
    kind: "webSearch",
    item: {
      type: "webSearch",
      id: "w",
      query: "foo",
      action: { type: "findInPage", url: "https://a.example", pattern: "bar" },
      results: null,
    },
  },
  imageView: { kind: "image", item: { type: "imageView", id: "i", path: "/project/p.png" } },
  sleep: { kind: "sleep", item: { type: "sleep", id: "sl", durationMs: 3000 } },
  imageGeneration: {
    kind: "image",
    item: {
      type: "imageGeneration",
      id: "ig",
      status: "completed",
      revisedPrompt: "a cat",
      failure: null,
      savedPath: "/project/cat.png",
      generationId: null,
      result: "",
    },
  },
  enteredReviewMode: { kind: "review", item: { type: "enteredReviewMode", id: "e", review: "the diff" } },
  exitedReviewMode: { kind: "review", item: { type: "exitedReviewMode", id: "x", review: "fine" } },
  contextCompaction: { kind: "compaction", item: { type: "contextCompaction", id: "cc" } },
};

describe("every type of codex has a kind of its own", () => {
  it.each(Object.entries(examples))("%s", (_type, { item, kind }) => {
    const seen = view(item);
    expect(seen.kind).toBe(kind);
    expect(seen.id).toBe(itemKey("turn-1", item.id));
  });

  it.each(
    recordedItems.map((entry, index) => [`${index}: ${entry.method} ${entry.item.type}`, entry] as const),
  )("recorded from codex 0.171.0, %s", (_name, { method, item }) => {
    const context = { turnId: "t", running: method === "item/started" };
    const seen = view(item, context);
    expect(seen.kind).not.toBe("unknown");
    expect(seen.startedAtMs).toBe(item.startedAtMs);
    expect(seen.completedAtMs).toBe(item.completedAtMs ?? null);
    if (method === "item/started") expect(seen.status).toBe("running");
    else expect(["completed", "failed"]).toContain(seen.status);
  });
});

describe("what is in them", () => {
  it("a command: the script without its wrapper, the words of codex, the output, whose it was", () => {
    expect(view(examples.commandExecution.item)).toMatchObject({
      command: "git status",
      purpose: null,
      output: { text: "clean\n", droppedUnits: 0 },
      exitCode: 0,
      byAgent: true,
    });
    const item = {
      ...examples.commandExecution.item,
      source: "userShell",
      commandActions: [
        { type: "read", command: "cat src/a.ts", name: "a.ts", path: "/project/src/a.ts" },
        { type: "search", command: "rg foo src", query: "foo", path: "src" },
      ],
    };
    expect(view(item)).toMatchObject({ purpose: "Read src/a.ts, search “foo” in src", byAgent: false });
  });

  it("long output: its end, with the rest counted", () => {
    const seen = view({
      ...examples.commandExecution.item,
      aggregatedOutput: `${"x".repeat(heldTextUnits)}END`,
    });
    expect(seen.kind === "command" && seen.output.text.endsWith("END")).toBe(true);
    expect(seen.kind === "command" && seen.output.droppedUnits).toBe(3);
  });

  it("a user message: text parts joined, attachments apart, a picture sent as data without its bytes", () => {
    const seen = view({
      type: "userMessage",
      id: "u",
      clientId: null,
      content: [
        { type: "text", text: "a" },
        { type: "localImage", path: "/tmp/shot.png" },
        { type: "mention", name: "a.ts", path: "/project/src/a.ts" },
        { type: "image", url: `data:image/png;base64,${"A".repeat(400)}` },
        { type: "skill", name: "review", path: "/skills/review" },
        { type: "text", text: "b" },
      ],
    });
    expect(seen).toMatchObject({
      kind: "user",
      text: "a\nb",
      clientId: null,
      attachments: [
        { kind: "image", path: "/tmp/shot.png", name: "shot.png", bytes: 0 },
        { kind: "mention", path: "/project/src/a.ts", name: "a.ts" },
        { kind: "image", path: "", name: "Image", bytes: 300 },
        { kind: "mention", path: "/skills/review", name: "$review" },
      ],
    });
    expect(JSON.stringify(seen)).not.toContain("AAAA");
  });

  it.each([
    ["final_answer", "answer"],
    ["partial_answer", "answer"],
    ["commentary", "commentary"],
    ["future_phase", null],
    [null, null],
  ])("an agent message of phase %s is %s", (phase, expected) => {
    expect(view({ ...examples.agentMessage.item, phase })).toMatchObject({ phase: expected, gaps: [] });
  });

  it("an agent message keeps the questions that came with it", () => {
    const questions = [{ title: "Which one?", options: ["left", "right"] }];
    expect(view({ ...examples.agentMessage.item, questions })).toMatchObject({
      text: "Hi\n\n**Which one?**\n- left\n- right",
    });
  });

  it("reasoning: a paragraph for each part", () => {
    expect(view(examples.reasoning.item)).toMatchObject({ summary: "**A**\n\nB", content: "raw" });
  });

  it("an MCP result: text joined, pictures noted, structured content once and readable", () => {
    const result = {
      content: [
        { type: "text", text: "one" },
        { type: "image", mimeType: "image/png", data: "A".repeat(4096) },
        { type: "resource_link", uri: "file:///a", name: "a" },
        { type: "resource", resource: { uri: "file:///b", text: "body" } },
        { type: "hologram", depth: 3 },
      ],
      structuredContent: { hits: 3 },
      _meta: null,
    };
    const seen = view({ ...examples.mcpToolCall.item, result });
    expect(seen.kind === "toolCall" && seen.resultText.text).toBe(
      'one\n[Image: image/png, about 3 KiB]\n[Resource: file:///a]\n[Resource: file:///b]\nbody\n{\n  "type": "hologram",\n  "depth": 3\n}\n\n{\n  "hits": 3\n}',
    );
    const twice = { content: [{ type: "text", text: '{"hits":3}' }], structuredContent: { hits: 3 } };
    const once = view({ ...examples.mcpToolCall.item, result: twice });
    expect(once.kind === "toolCall" && once.resultText.text).toBe('{\n  "hits": 3\n}');
  });

  it("a failed MCP call says why; a dynamic tool that reported failure has failed", () => {
    const failed = {
      ...examples.mcpToolCall.item,
      status: "failed",
      result: null,
      error: { message: "no route" },
    };
    expect(view(failed)).toMatchObject({ status: "failed", error: "no route" });
    expect(view({ ...examples.dynamicToolCall.item, success: false })).toMatchObject({ status: "failed" });
  });

  it("sub-agents: words for what was done and how they are", () => {
    expect(view(examples.collabAgentToolCall.item)).toMatchObject({
      activity: "Started an agent",
      agentThreadIds: ["t2"],
      prompt: "Count",
      states: [{ agent: "t2", state: "failed", message: "no" }],
    });
    expect(view({ ...examples.collabAgentToolCall.item, status: "inProgress" }, running)).toMatchObject({
      status: "running",
      activity: "Starting an agent",
    });
    expect(view({ ...examples.collabAgentToolCall.item, tool: "teleport" })).toMatchObject({
      activity: "Worked with agents (teleport)",
    });
    expect(view(examples.subAgentActivity.item)).toMatchObject({
      activity: "Agent finished",
      agentName: "counter",
      agentThreadIds: ["t2"],
    });
  });

  it("a web search: its action in words, in both spellings of codex", () => {
    expect(view(examples.webSearch.item)).toMatchObject({
      action: "Looked for “bar” in a page",
      url: "https://a.example",
    });
    const open = { ...examples.webSearch.item, action: { type: "open_page", url: "https://b.example" } };
    expect(view(open)).toMatchObject({ action: "Opened a page", url: "https://b.example" });
    const search = { type: "webSearch", id: "w", query: "", action: { type: "search", queries: ["a", "b"] } };
    expect(view(search, running)).toMatchObject({ action: "Searching the web", query: "a, b" });
  });

  it("an image that was not made has failed and says why", () => {
    const failure = { type: "usageLimitExceeded", limitId: "images", resetsAt: null };
    expect(view({ ...examples.imageGeneration.item, failure })).toMatchObject({
      status: "failed",
      caption: "The image was not made: the usage limit is reached.",
    });
  });
});

describe("states", () => {
  it.each([
    ["inProgress", true, "running"],
    ["inProgress", false, "lost"],
    ["completed", true, "completed"],
    ["failed", false, "failed"],
    ["declined", false, "declined"],
    ["hibernating", true, "running"],
    ["hibernating", false, "completed"],
    [undefined, true, "running"],
    [undefined, false, "completed"],
  ])("%s while running is %s is shown as %s", (status, isRunning, expected) => {
    const item = { ...examples.commandExecution.item, status };
    expect(view(item, { turnId: "t", running: isRunning }).status).toBe(expected);
  });

  it("times beside the item win over those inside", () => {
    const item = { ...examples.plan.item, startedAtMs: 1, completedAtMs: 2 };
    expect(view(item)).toMatchObject({ startedAtMs: 1, completedAtMs: 2 });
    expect(view(item, { ...ended, startedAtMs: 5 })).toMatchObject({ startedAtMs: 5, completedAtMs: 2 });
  });

  it("the same id in two turns is two items", () => {
    const first = viewItem(examples.agentMessage.item, { turnId: "1", running: false });
    const second = viewItem(examples.agentMessage.item, { turnId: "2", running: false });
    expect(first.id).not.toBe(second.id);
  });
});

describe("what this version does not know", () => {
  it("is shown with its own name and its content", () => {
    const seen = view({ type: "futureItem", id: "f1", glow: { level: 3 } });
    expect(seen).toMatchObject({ kind: "unknown", type: "futureItem", id: itemKey("turn-1", "f1") });
    expect(seen.kind === "unknown" && seen.json.text).toContain('"level": 3');
  });

  it.each([
    ["a command without a command", { type: "commandExecution", id: "c" }],
    ["a file change without changes", { type: "fileChange", id: "c", changes: "none" }],
    ["a tool call without a tool", { type: "mcpToolCall", id: "c", server: "s" }],
    ["a user message without content", { type: "userMessage", id: "c" }],
    ["a type that is an inherited name", { type: "constructor", id: "c" }],
    ["null", null],
    ["a string", "hello"],
    ["a list", [1, 2]],
  ])("%s is shown as unknown", (_name, item) => {
    expect(view(item).kind).toBe("unknown");
  });

  it("a long string inside is cut and says how long it was", () => {
    const seen = view({ type: "futureItem", id: "f", data: "A".repeat(1_000_000) });
    expect(seen.kind === "unknown" && seen.json.text.length).toBeLessThan(30_000);
    expect(seen.kind === "unknown" && seen.json.text).toContain("1000000 characters in all");
  });

  it("nesting without end does not overflow the stack", () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    expect(view({ type: "futureItem", id: "f", deep }).kind).toBe("unknown");
    const result = { content: [{ type: "odd", deep }], structuredContent: deep };
    expect(view({ ...examples.mcpToolCall.item, arguments: deep, result }).kind).toBe("toolCall");
  });
});

describe("whatever comes, nothing throws and the result fits the contract", () => {
  const types = Object.keys(examples) as TypeOf[];
  const context = fc.record({ turnId: fc.string(), running: fc.boolean() });

  it("any JSON in place of an item", () => {
    fc.assert(
      fc.property(fc.jsonValue(), context, (item, at) => {
        view(item, at);
      }),
      { numRuns: 300 },
    );
  });

  it("any JSON in place of any field of a known item", () => {
    const property = fc.property(
      fc.constantFrom(...types),
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.oneof(fc.jsonValue(), fc.constant(Number.POSITIVE_INFINITY), fc.constant(undefined)),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      context,
      (type, changes, at) => {
        const item: Record<string, unknown> = { ...examples[type].item };
        const keys = Object.keys(item).filter((key) => key !== "type");
        for (const [pick, value] of changes) item[keys[pick % keys.length] ?? "id"] = value;
        view(item, at);
      },
    );
    fc.assert(property, { numRuns: 1_500 });
  });

  it("any JSON one level further down", () => {
    const inner: [TypeOf, (value: unknown) => Record<string, unknown>][] = [
      [
        "userMessage",
        (value) => ({ content: [value, { type: "text", text: value }, { type: "image", url: value }] }),
      ],
      [
        "commandExecution",
        (value) => ({ commandActions: [{ type: "read", path: value, name: value }, value] }),
      ],
      ["fileChange", (value) => ({ changes: [value, { path: value, kind: value, diff: value }] })],
      ["mcpToolCall", (value) => ({ result: { content: [value, { type: "resource", resource: value }] } })],
      ["collabAgentToolCall", (value) => ({ agentsStates: { __proto__x: value, b: { status: value } } })],
      ["webSearch", (value) => ({ action: { type: "search", query: value, queries: [value] } })],
      ["agentMessage", (value) => ({ questions: [value, { title: value, options: [value] }] })],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...inner), fc.jsonValue(), ([type, fields], value) => {
        view({ ...examples[type].item, ...fields(value) });
      }),
      { numRuns: 700 },
    );
  });
});
