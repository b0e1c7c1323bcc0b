// One conversation, held with the real codex and with the fake: every answer, and everything that was said in between.

import type { Message, TestAppServer } from "../../../main/demo/testAppServer";

export interface Recording {
  /** By the name of the step. */
  answers: Map<string, Message>;
  /** What came in each turn, by its name, up to `turn/completed`. */
  turns: Map<string, Message[]>;
  /** What came outside turns. */
  besides: Message[];
}

export const neverMade = "01a22778-1b81-7e90-8a51-09e589fe7f5a";

/** The turns that the model (or the scenario) must be ready for, in this order. */
export const turnNames = [
  "whole",
  "declined",
  "cancelled",
  "failed",
  "queued",
  "stopped with a queue",
  "taken up by hand",
  "taken up after it",
] as const;

export async function holdConversation(server: TestAppServer, cwd: string): Promise<Recording> {
  const answers = new Map<string, Message>();
  const turns = new Map<string, Message[]>();
  const ask = async (method: string, params: unknown = {}, step = method): Promise<Message> => {
    const answer = await server.call(method, params);
    answers.set(step, answer);
    return answer;
  };
  const input = (text: string) => [{ type: "text", text, text_elements: [] }];
  const inTurn = async (name: string, begin: () => Promise<unknown>): Promise<void> => {
    const from = server.messages.length;
    await begin();
    await server.find((message) => message.method === "turn/completed", from);
    turns.set(
      name,
      server.messages.slice(from).filter((message) => message.method !== undefined),
    );
  };

  const [initialized] = server.messages.filter((message) => message.id === 1);
  if (initialized) answers.set("initialize", initialized);
  for (const method of [
    "account/read",
    "account/rateLimits/read",
    "account/usage/read",
    "model/list",
    "config/read",
    "configRequirements/read",
    "permissionProfile/list",
    "collaborationMode/list",
    "mcpServerStatus/list",
    "no/such/method",
  ]) {
    await ask(method);
  }

  const { result } = await ask("thread/start", { cwd });
  const { id: threadId } = (result?.thread ?? {}) as { id?: string };
  if (threadId === undefined) throw new Error("thread/start gave no thread.");
  await server.find((message) => message.method === "thread/started");
  await ask("thread/turns/list", { threadId }, "turns of an empty thread");
  await ask("thread/loaded/list");

  server.onRequest = ({ params }) => ({ decision: decisions[String(params?.reason)] ?? "accept" });
  server.isLeft = ({ params }) => params?.reason === "Wait for me";
  for (const name of ["whole", "declined", "cancelled", "failed"]) {
    await inTurn(name, () =>
      ask(
        "turn/start",
        { threadId, input: input(name), clientUserMessageId: `client-${name}` },
        `start ${name}`,
      ),
    );
  }
  await inTurn("queued", () =>
    ask("thread/queue/add", { threadId, input: input("queued"), clientUserMessageId: "client-queued" }),
  );

  await holdQueue();

  await ask("turn/interrupt", { threadId, turnId: neverMade });
  await ask("turn/steer", { threadId, expectedTurnId: neverMade, input: input("x") });
  await ask("thread/queue/list", { threadId });
  await ask("thread/name/set", { threadId, name: "Named" });
  await ask("thread/list", { cwd, modelProviders: [] });
  await ask("thread/read", { threadId });
  await ask("thread/turns/list", { threadId, itemsView: "full" });
  await ask("thread/turns/list", { threadId }, "turns in short");
  const items = await ask("thread/items/list", { threadId });
  const entries = (items.result?.data ?? []) as { turnId: string; item: { id: string } }[];
  const first = entries[0];
  await ask("thread/items/read", { threadId, turnId: first?.turnId, itemIds: [first?.item.id] });
  await ask("thread/resume", {
    threadId,
    excludeTurns: true,
    initialTurnsPage: { limit: 2, itemsView: "full" },
  });
  await ask("thread/search", { searchTerm: "whole" });
  await ask("thread/resume", { threadId: neverMade }, "resume of an unknown thread");
  await ask("thread/read", { threadId: neverMade }, "read of an unknown thread");
  await ask("turn/start", { threadId: neverMade, input: input("x") }, "turn in an unknown thread");
  await ask("thread/archive", { threadId });
  await ask("thread/list", { cwd, modelProviders: [] }, "list without the archived");
  await ask("thread/list", { cwd, modelProviders: [], archived: true }, "list of the archived");
  await ask("thread/unarchive", { threadId });
  await ask("thread/unsubscribe", { threadId });

  /** A turn is stopped while others wait; they are changed in every way, and go on when told so. */
  async function holdQueue(): Promise<void> {
    const named = (part: Message[]) => part.filter((message) => message.method !== undefined);
    const idIn = ({ result }: Message, field: string) => (result?.[field] as { id: string } | undefined)?.id;
    const completed = (from: number) => server.find((message) => message.method === "turn/completed", from);
    const add = async (text: string) => {
      const params = { threadId, input: input(text), clientUserMessageId: `client-${text}` };
      return idIn(await ask("thread/queue/add", params, `add ${text}`), "queuedSubmission");
    };
    const from = server.messages.length;
    const begun = await ask(
      "turn/start",
      { threadId, input: input("stopped"), clientUserMessageId: "client-stopped" },
      "start stopped",
    );
    const turnId = idIn(begun, "turn");
    await server.find(({ params }) => params?.reason === "Wait for me", from);
    const [one, two, three] = [await add("one"), await add("two"), await add("three")];
    const ids = [two, three, one];
    await ask("thread/queue/list", { threadId }, "list of the queue");
    await ask("thread/queue/start", { threadId }, "start of the queue in a turn");
    await ask("thread/queue/reorder", { threadId, queuedSubmissionIds: ids }, "reorder");
    await ask("thread/queue/reorder", { threadId, queuedSubmissionIds: ids.slice(1) }, "reorder of too few");
    await ask(
      "thread/queue/reorder",
      { threadId, queuedSubmissionIds: [...ids, neverMade] },
      "reorder of too many",
    );
    await ask(
      "thread/queue/update",
      { threadId, queuedSubmissionId: two, input: input("two, edited") },
      "update",
    );
    const unknown = { threadId, queuedSubmissionId: neverMade };
    await ask("thread/queue/update", { ...unknown, input: input("x") }, "update of an unknown entry");
    await ask("thread/queue/delete", { threadId, queuedSubmissionId: three }, "delete");
    await ask("thread/queue/delete", unknown, "delete of an unknown entry");
    await ask("turn/interrupt", { threadId, turnId }, "stop");
    const stopped = server.messages.indexOf(await completed(from)) + 1;
    turns.set("stopped with a queue", named(server.messages.slice(from, stopped)));
    await ask("thread/queue/list", { threadId }, "list of the held queue");
    await ask("thread/queue/start", unknown, "start of an unknown entry");
    const again = server.messages.length;
    await ask("thread/queue/start", { threadId, queuedSubmissionId: one }, "start by hand");
    const first = await completed(again);
    const second = await completed(server.messages.indexOf(first) + 1);
    const between = server.messages.indexOf(first) + 1;
    turns.set("taken up by hand", named(server.messages.slice(again, between)));
    turns.set(
      "taken up after it",
      named(server.messages.slice(between, server.messages.indexOf(second) + 1)),
    );
    await ask("thread/queue/start", { threadId }, "start of an empty queue");
  }

  const told = new Set([...turns.values()].flat());
  const besides = server.messages.filter((message) => message.method !== undefined && !told.has(message));
  return { answers, turns, besides };
}

/** How each request is answered, by the reason that it gives. */
const decisions: Record<string, string> = {
  "May I?": "accept",
  "Decline me": "decline",
  "Cancel me": "cancel",
};
