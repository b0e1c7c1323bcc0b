// The fake is only worth as much as it resembles the real codex. Both hold the same conversation here, and what they say is
// compared: the fields of every answer, event and request, and the order of the events of a turn.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { codexBinary, type Message, processesWith, TestAppServer } from "../../../main/demo/testAppServer";
import { createCodexHome } from "../codexHome";
import {
  failure,
  message,
  patch,
  plan,
  reasoning,
  reply,
  shell,
  startModelServer,
  streamed,
} from "../modelServer";
import { createFakeCodex, type TurnAction } from "./scenario";
import { shapeDifferences } from "./shapeDifferences";
import { holdConversation, type Recording, turnNames } from "./testConversation";

let real: Recording;
let fake: Recording;
let bugs: string[];
const homes: string[] = [];

beforeAll(async () => {
  const workspace = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-workspace-")));
  try {
    real = await recordReal(workspace);
    fake = await recordFake(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
});

async function recordReal(cwd: string): Promise<Recording> {
  const model = await startModelServer();
  const home = await createCodexHome({ baseUrl: model.baseUrl });
  const environment = { CODEX_HOME: home.path };
  const server = await TestAppServer.launch({ command: await codexBinary(), environment, cwd });
  const asking = (justification: string) => shell("touch asked", { escalate: { justification } });
  model.queue(
    reply(reasoning("Thinking"), streamed("Hello there", 2), plan([{ step: "Look", status: "in_progress" }])),
    shell("echo out"),
    asking("May I?"),
    patch("*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch"),
    message("Done."),
    asking("Decline me"),
    message("All right."),
    asking("Cancel me"),
    failure(400, "No."),
    message("From the queue."),
    asking("Wait for me"),
    message("By hand."),
    message("After it."),
  );
  try {
    return await holdConversation(server, cwd);
  } finally {
    await server.close();
    await model.close();
    await home.remove();
    homes.push(home.path);
  }
}

async function recordFake(cwd: string): Promise<Recording> {
  const asking = (reason: string): TurnAction => ({ command: "touch asked", approval: { reason } });
  const codex = await createFakeCodex({
    turns: [
      [
        { reasoning: ["Thinking"] },
        { message: "Hello there", chunks: 2 },
        { plan: [{ step: "Look", status: "inProgress" }] },
        { usage: 15 },
        { command: "echo out", output: "out\n" },
        { usage: 15 },
        asking("May I?"),
        { usage: 15 },
        {
          fileChange: [{ path: path.join(cwd, "new.txt"), kind: { type: "add" }, diff: "hello\n" }],
          diff: "diff --git a/new.txt b/new.txt\n",
        },
        { usage: 15 },
        { message: "Done.", chunks: 0 },
        { usage: 15 },
      ],
      [asking("Decline me"), { usage: 15 }, { message: "All right.", chunks: 0 }, { usage: 15 }],
      [asking("Cancel me")],
      [{ fail: { message: "No." } }],
      [{ message: "From the queue.", chunks: 0 }, { usage: 15 }],
      [asking("Wait for me")],
      [{ message: "By hand.", chunks: 0 }, { usage: 15 }],
      [{ message: "After it.", chunks: 0 }, { usage: 15 }],
    ],
  });
  const { command, environment } = codex;
  const server = await TestAppServer.launch({ command, environment, cwd });
  try {
    return await holdConversation(server, cwd);
  } finally {
    await server.close();
    bugs = await codex.bugs();
    await codex.remove();
    homes.push(codex.codexHome);
  }
}

/** Where the two may differ: what depends on the configuration, and what is opaque. */
function isFree(where: string): boolean {
  return [
    /^\.config\b/,
    /^\.origins\b/,
    /^\.layers\b/,
    /^\.data\[\]\.supportedReasoningEfforts\b/,
    /\.environments\.length$/,
    // Named by the ids of threads.
    /^\.readStates\./,
    // Cut from the command as the real one's parser sees it.
    /\.commandActions\[\]/,
    /\.proposedExecpolicyAmendment\b/,
    // The model server's words, where the fake has the scenario's.
    /\.codexErrorInfo\b/,
  ].some((pattern) => pattern.test(where));
}

/** What only the real one says, or says as often as it likes. */
const unsolicited = new Set([
  "account/rateLimits/updated",
  "configWarning",
  // Of a command that is over at once only where the real one is too busy to see its end with its output.
  "item/commandExecution/outputDelta",
  "remoteControl/status/changed",
  "thread/tokenUsage/updated",
  "warning",
]);

/**
 * The events of a turn by name and kind, in order; a run of deltas counts as one. The status in which nothing is waited for any
 * more comes before or after the end of the item that was asked about, as it happens.
 */
function order(messages: Message[]): string[] {
  const names = messages.filter(({ method }) => !unsolicited.has(method ?? "")).map(eventName);
  const resumed = "thread/status/changed active";
  return names.filter(
    (name, at) =>
      !(name.endsWith("elta") && name === names[at - 1]) && !(name === resumed && names.indexOf(name) < at),
  );
}

function eventName({ method = "", params = {} }: Message): string {
  const { item, status, turn } = params as Record<string, Record<string, unknown> | undefined>;
  const flags = Array.isArray(status?.activeFlags) ? status.activeFlags.join() : "";
  return [method, item?.type, status?.type, flags, method === "turn/completed" ? turn?.status : ""]
    .filter(Boolean)
    .join(" ");
}

function shapes(recordings: Message[]): Map<string, Message> {
  const byName = new Map<string, Message>();
  for (const one of recordings) if (!byName.has(eventName(one))) byName.set(eventName(one), one);
  return byName;
}

test("neither failed in itself or left a process behind", async () => {
  expect(bugs).toEqual([]);
  expect(homes).toHaveLength(2);
  for (const home of homes) await expect.poll(() => processesWith(home)).toEqual([]);
});

test("both answer every step alike", () => {
  expect([...fake.answers.keys()]).toEqual([...real.answers.keys()]);
  const differences = [...real.answers].flatMap(([step, { result, error }]) => {
    const other = fake.answers.get(step);
    const found = error
      ? shapeDifferences(error, other?.error, () => false)
      : shapeDifferences(result, other?.result, isFree);
    return found.map((difference) => `${step} ${difference}`);
  });
  expect(differences).toEqual([]);
});

test("errors are said in the same words", () => {
  const said = (recording: Recording) =>
    [...recording.answers].flatMap(([step, { error }]) => {
      // A list of every method that there is follows; and ids differ.
      const text = error?.message.split(", expected")[0]?.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
      return error ? [`${step}: ${error.code} ${text}`] : [];
    });
  expect(said(fake)).toEqual(said(real));
  expect(said(real).length).toBeGreaterThan(5);
});

describe.each(turnNames)("the turn called %s", (name) => {
  const told = (recording: Recording) => recording.turns.get(name) ?? [];

  test("has the same events in the same order", () => {
    expect(order(told(real)).at(-1)).toContain("turn/completed");
    expect(order(told(fake))).toEqual(order(told(real)));
  });

  test("has events with the same fields", () => {
    const others = shapes(told(fake));
    const differences = [...shapes(told(real))].flatMap(([event, { params }]) => {
      const other = others.get(event);
      if (!other) return unsolicited.has(event) ? [] : [`${event} is missing`];
      return shapeDifferences(params, other.params, isFree).map((difference) => `${event} ${difference}`);
    });
    expect(differences).toEqual([]);
  });
});

test("what is said outside turns has the same fields", () => {
  const others = shapes(fake.besides);
  const differences = [...shapes(real.besides)].flatMap(([event, { params }]) => {
    const other = others.get(event);
    if (!other) return unsolicited.has(event) ? [] : [`${event} is missing`];
    return shapeDifferences(params, other.params, isFree).map((difference) => `${event} ${difference}`);
  });
  expect(differences).toEqual([]);
});
