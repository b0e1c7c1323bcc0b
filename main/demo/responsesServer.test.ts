import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { ManualClock } from "../clock";
import type { Log } from "../log";
import type { ModelRequest } from "./modelRequest";
import type { Script, Step } from "./responseSteps";
import { type ResponsesServer, type ResponsesServerOptions, startResponsesServer } from "./responsesServer";

const token = "a-token-of-this-run";
let server: ResponsesServer | null = null;
let clock = new ManualClock();
let complaints: string[] = [];

const log: Log = {
  info() {},
  warn: (message) => complaints.push(message),
  error: (message) => complaints.push(message),
};

async function start(script: Script, more: Partial<ResponsesServerOptions> = {}): Promise<ResponsesServer> {
  clock = new ManualClock();
  complaints = [];
  server = await startResponsesServer({ script, clock, log, token, models: ["demo"], ...more });
  return server;
}

afterEach(async () => {
  await server?.close();
  expect(clock.pendingCount).toBe(0);
  server = null;
});

function ask(body: string = "{}", headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server?.baseUrl}/responses`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
}

type Event = { type: string; item?: { id: string; type: string }; [field: string]: unknown };

function eventsOf(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => JSON.parse(block.slice(block.indexOf("data: ") + 6)) as Event);
}

/** A promise and its resolve. */
function signalled(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test("steps become events, and no two items of any response have one id", async () => {
  const script = (): Step[] => [
    { type: "reasoningDelta", text: "**Hm**" },
    { type: "reasoningPart" },
    { type: "reasoningDelta", text: "well" },
    { type: "textDelta", text: "Hel", phase: "commentary" },
    { type: "textDelta", text: "lo" },
    { type: "item", item: { type: "function_call", call_id: "c1", name: "update_plan", arguments: "{}" } },
    { type: "event", event: { type: "response.metadata", note: 1 } },
  ];
  await start(script);
  const events = eventsOf(await (await ask()).text());
  expect(events.map((event) => event.type)).toEqual([
    "response.created",
    "response.output_item.added",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_text.delta",
    "response.output_item.done",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.output_item.done",
    "response.output_item.done",
    "response.metadata",
    "response.completed",
  ]);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const done = events.filter((event) => event.type === "response.output_item.done");
  expect(done.map((event) => event.item)).toMatchObject([
    { type: "reasoning", summary: [{ text: "**Hm**" }, { text: "well" }] },
    { type: "message", phase: "commentary", content: [{ type: "output_text", text: "Hello" }] },
    { type: "function_call", call_id: "c1", name: "update_plan" },
  ]);
  const again = eventsOf(await (await ask()).text()).filter(
    (event) => event.type === "response.output_item.done",
  );
  const ids = [...done, ...again].map((event) => event.item?.id);
  expect(new Set(ids).size).toBe(6);
});

test("usage is what the script says, or an estimate", async () => {
  const replies: Step[][] = [
    [
      {
        type: "completed",
        usage: { inputTokens: 7, cachedInputTokens: 3, outputTokens: 2, reasoningTokens: 1 },
      },
    ],
    [{ type: "textDelta", text: "12345678" }],
  ];
  await start(() => replies.shift() ?? []);
  const usage = async (body: string) => {
    const last = eventsOf(await (await ask(body)).text()).at(-1);
    return (last?.response as { usage?: unknown } | undefined)?.usage;
  };
  expect(await usage("{}")).toEqual({
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 1 },
    total_tokens: 9,
  });
  expect(await usage('{"a":"bcdefg"}')).toMatchObject({ input_tokens: 4, output_tokens: 2, total_tokens: 6 });
});

test("nobody gets in without the token, or from another address of this computer", async () => {
  let asked = 0;
  const { baseUrl, port } = await start(() => {
    asked++;
    return [];
  });
  for (const authorization of ["", "Bearer", "Bearer wrong", token, `Bearer ${token}x`]) {
    expect((await ask("{}", { authorization })).status).toBe(401);
  }
  expect((await fetch(`${baseUrl}/models`)).status).toBe(401);
  expect(asked).toBe(0);
  const models = await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${token}` } });
  expect(await models.json()).toMatchObject({ data: [{ id: "demo" }] });
  const refused = new Promise<string>((resolve) => {
    connect(port, "127.0.0.2")
      .once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""))
      .once("connect", () => resolve("connected"));
  });
  expect(await refused).not.toBe("connected");
});

test("what is not a request for a response is refused with its reason", async () => {
  const { baseUrl } = await start(() => [], { limits: { bodyBytes: 10 } });
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${baseUrl}/responses`, { headers })).status).toBe(405);
  expect((await fetch(`${baseUrl}/other`, { headers })).status).toBe(404);
  expect((await ask("[]")).status).toBe(400);
  expect((await ask("{nope")).status).toBe(400);
  expect((await ask("{}", { "content-encoding": "zstd" })).status).toBe(415);
  expect((await ask(`{"a":"${"b".repeat(1_000_000)}"}`)).status).toBe(413);
  expect((await ask()).status).toBe(200);
});

test("a body that never ends is refused when its time is over", async () => {
  const { port } = await start(() => [], { limits: { bodyMs: 1_000 } });
  const socket = connect(port, "127.0.0.1");
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("close", () => resolve(text));
  });
  socket.write(
    `POST /v1/responses HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 9\r\n\r\n{`,
  );
  await expect.poll(() => clock.pendingCount).toBe(1);
  clock.advance(1_000);
  expect(await answer).toContain("408");
});

test("a response waits at its gate with what came before it sent", async () => {
  const gate = signalled();
  await start(() => [
    { type: "textDelta", text: "before" },
    { type: "hold", released: () => gate.promise },
    { type: "textDelta", text: " after" },
  ]);
  const reader = (await ask()).body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("before")) text += (await reader?.read())?.value ?? "";
  expect(text).not.toContain("after");
  gate.resolve();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  expect(eventsOf(text).at(-1)?.type).toBe("response.completed");
  expect(text).toContain('"before after"');
});

test("pauses pass with the clock", async () => {
  await start(() => [
    { type: "created" },
    { type: "pause", ms: 30 },
    { type: "pause", ms: 0 },
    { type: "textDelta", text: "late" },
  ]);
  const response = await ask();
  // The pause, and the limit of every wait.
  await expect.poll(() => clock.pendingCount).toBe(2);
  clock.advance(30);
  expect(await response.text()).toContain("late");
});

test("a gate that nobody opens ends in a cut connection, and in the log", async () => {
  await start(() => [{ type: "created" }, { type: "hold", released: () => new Promise(() => {}) }], {
    limits: { holdMs: 5_000 },
  });
  const response = await ask();
  await expect.poll(() => clock.pendingCount).toBe(1);
  clock.advance(5_000);
  await expect(response.text()).rejects.toThrow();
  expect(complaints).toEqual(["model server: a response took too long and was cut"]);
});

test("a cut, an HTTP error and a failure are three different ends", async () => {
  const replies: Step[][] = [
    [{ type: "textDelta", text: "half" }, { type: "cut" }],
    [{ type: "refuse", status: 429, code: "slow_down", message: "Later.", headers: { "retry-after": "7" } }],
    [
      { type: "textDelta", text: "half" },
      { type: "failed", code: "bad", message: "On purpose." },
    ],
  ];
  await start(() => replies.shift() ?? []);
  await expect(ask().then((response) => response.text())).rejects.toThrow();
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(await refused.json()).toMatchObject({ error: { code: "slow_down", message: "Later." } });
  const failed = eventsOf(await (await ask()).text()).at(-1);
  expect(failed).toMatchObject({
    type: "response.failed",
    response: { error: { code: "bad", message: "On purpose." } },
  });
});

test("a client that goes away ends the waits and the script of its response", async () => {
  const stopped = signalled();
  const aborted = signalled();
  await start(function* (): Generator<Step> {
    try {
      yield { type: "textDelta", text: "one" };
      yield {
        type: "hold",
        released: (signal) => {
          signal.addEventListener("abort", aborted.resolve);
          return new Promise(() => {});
        },
      };
    } finally {
      stopped.resolve();
    }
  });
  const reader = (await ask()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await Promise.all([aborted.promise, stopped.promise]);
});

test("closing ends open responses, whatever their scripts do, and frees the port", async () => {
  const { port, baseUrl } = await start(async function* (): AsyncGenerator<Step> {
    yield { type: "created" };
    await new Promise(() => {});
  });
  const response = await ask();
  const closing = server?.close();
  expect(server?.close()).toBe(closing);
  await expect(response.text()).rejects.toThrow();
  await closing;
  await expect(fetch(`${baseUrl}/models`)).rejects.toThrow();
  await start(() => [], { port });
  expect(server?.port).toBe(port);
});

test("a port that is taken is a fault that can be tried again", async () => {
  const { port } = await start(() => []);
  const options = { script: () => [], clock, log, token, port };
  await expect(startResponsesServer(options)).rejects.toMatchObject({
    code: "model_server_failed",
    retryable: true,
  });
});

test("a script that throws never looks like a success", async () => {
  const scripts: Script[] = [
    () => {
      throw new Error("at once");
    },
    function* (): Generator<Step> {
      yield { type: "textDelta", text: "half" };
      throw new Error("in the middle");
    },
  ];
  await start((request) => scripts[request.index]?.(request) ?? []);
  expect((await ask()).status).toBe(500);
  const text = await (await ask()).text();
  expect(text).toContain("response.failed");
  expect(text).not.toContain("response.completed");
  expect(complaints).toEqual(["model server: the script failed", "model server: the script failed"]);
});

test("a request is read into what a person said, what tools answered, and what is offered", async () => {
  const seen: ModelRequest[] = [];
  await start((request) => {
    seen.push(request);
    return [];
  });
  const words = (role: string, ...texts: string[]) => ({
    type: "message",
    role,
    content: texts.map((text) => ({ type: "input_text", text })),
  });
  await ask(
    JSON.stringify({
      instructions: "be good",
      tools: [
        { type: "function", name: "exec_command" },
        { type: "namespace", name: "agents", tools: [{ name: "spawn" }] },
        { type: "web_search" },
      ],
      input: [
        words("developer", "<permissions>"),
        words("user", "<environment_context>\n..."),
        {
          ...words("user", "look"),
          content: [{ type: "input_text", text: "look" }, { type: "input_image" }],
        },
        { type: "function_call", call_id: "a", name: "exec_command", arguments: '{"cmd":"ls"}' },
        { type: "function_call_output", call_id: "a", output: "x.txt" },
        words("user", "<turn_aborted>\n..."),
        words("assistant", "done"),
        words("user", "<environment_context>", "and this"),
        { type: "custom_tool_call_output", call_id: "b", output: [{ type: "input_text", text: "ok" }] },
        { type: "future" },
        7,
      ],
      client_metadata: {
        thread_id: "t",
        turn_id: "u",
        "x-codex-turn-metadata": '{"request_kind":"turn"}',
      },
    }),
  );
  await ask('{"client_metadata":{"x-codex-turn-metadata":"{"},"input":7}');
  expect(seen[0]).toMatchObject({
    index: 0,
    instructions: "be good",
    toolNames: ["exec_command", "agents.spawn", "web_search"],
    lastUserText: "and this",
    outputsSinceUser: [{ callId: "b", text: "ok" }],
    threadId: "t",
    turnId: "u",
    kind: "turn",
    entries: [
      { type: "user", text: "look", images: 1 },
      { type: "call", callId: "a", name: "exec_command", arguments: '{"cmd":"ls"}' },
      { type: "output", callId: "a", text: "x.txt" },
      { type: "assistant", text: "done" },
      { type: "user", text: "and this", images: 0 },
      { type: "output", callId: "b", text: "ok" },
    ],
  });
  expect(seen[1]).toMatchObject({ index: 1, entries: [], lastUserText: "", threadId: null, kind: null });
});
