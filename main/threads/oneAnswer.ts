// Asks codex one thing, in a thread that nobody sees: it is kept nowhere, has no place where commands could run, and is let go
// when it has answered.
//
// What it is asked about may have been written by anybody, and nobody looks on: so nothing in it can make codex do anything.
// The thread has no tools of MCP servers, apps or plugins, none that search the web or start agents, and no hooks.
//
// Races, and what settles each:
// - The turn ends before the answer to its start is handed over: what is heard of the thread is listened to before it starts.
// - It is cancelled, or its time is up, at any moment: the turn is interrupted if there is one, and the thread let go, whatever
//   comes of that.
// - The thread is made only after nobody waits for it any more: it is let go when its answer comes.
// - The connection is lost: the thread is gone with its last subscriber.

import type { Clock } from "../clock";
import type { JsonValue } from "../codex/protocol/serde_json/JsonValue";
import { Fault } from "../fault";
import type { Connection } from "../supervisor/connection";
import { recordOf, wordsOrNull } from "./loose";

export interface OneQuestion {
  cwd: string;
  /** What the model is to do, as its developer would say it. */
  instructions: string;
  text: string;
  /** The form of the answer, as a JSON schema. */
  schema: JsonValue;
  signal: AbortSignal;
  limitMs: number;
}

const letGoMs = 5_000;

/** What has, or brings, tools. codex passes over those that it does not know. */
const featuresWithTools = [
  "shell_tool",
  "unified_exec",
  "multi_agent",
  "multi_agent_v2",
  "apps",
  "plugins",
  "goals",
  "image_generation",
  "browser_use",
  "computer_use",
  "memories",
  "hooks",
];

/** The last words of its turn. Throws Fault. */
export async function oneAnswer(
  connection: Connection,
  question: OneQuestion,
  clock: Clock,
): Promise<string> {
  const { client } = connection;
  const { signal, limitMs } = question;
  const ending = new AbortController();
  const end = (fault: Fault) => ending.abort(fault);
  const timer = clock.after(limitMs, () => end(tooLate()));
  const cancelled = () => end(new Fault("cancelled", "It was cancelled.", { retryable: true }));
  signal.addEventListener("abort", cancelled);
  if (signal.aborted) cancelled();
  const stopListening: (() => void)[] = [];
  let threadId: string | null = null;
  let turnId: string | null = null;
  let isOver = false;
  const letGo = (id: string) => {
    // It is kept nowhere, so codex forgets it with its last subscriber.
    client.request("thread/unsubscribe", { threadId: id }, { deadlineMs: letGoMs }).catch(() => undefined);
  };
  try {
    const configured = await client.request(
      "config/read",
      { includeLayers: false, cwd: question.cwd },
      { deadlineMs: limitMs, signal: ending.signal },
    );
    await client.request(
      "thread/start",
      {
        cwd: question.cwd,
        ephemeral: true,
        sandbox: "read-only",
        approvalPolicy: "never",
        developerInstructions: question.instructions,
        // No command runs anywhere.
        environments: [],
        config: withoutTools(configured),
      },
      {
        deadlineMs: limitMs,
        signal: ending.signal,
        onAnswer: ({ thread }) => {
          threadId = thread.id;
          if (isOver) letGo(thread.id);
        },
      },
    );
    const answer = new Promise<string>((resolve, reject) => {
      let words = "";
      const isOurs = (fields: Record<string, unknown>) => fields.threadId === threadId;
      stopListening.push(
        client.listen("item/completed", (params) => {
          const fields = recordOf(params);
          const item = recordOf(fields.item);
          if (isOurs(fields) && item.type === "agentMessage") words = wordsOrNull(item.text) ?? words;
        }),
        client.listen("turn/completed", (params) => {
          const fields = recordOf(params);
          if (!isOurs(fields)) return;
          turnId = null;
          const turn = recordOf(fields.turn);
          if (turn.status === "completed" && words !== "") resolve(words);
          else reject(noAnswer(wordsOrNull(recordOf(turn.error).message)));
        }),
      );
      ending.signal.addEventListener("abort", () => reject(ending.signal.reason));
      if (ending.signal.aborted) reject(ending.signal.reason);
    });
    // It may fail while the turn is still being started.
    answer.catch(() => undefined);
    const input = [{ type: "text" as const, text: question.text, text_elements: [] }];
    await client.request(
      "turn/start",
      { threadId: threadId ?? "", input, environments: [], outputSchema: question.schema },
      {
        signal: ending.signal,
        onAnswer: ({ turn }) => {
          turnId = turn.id;
        },
      },
    );
    return await answer;
  } finally {
    isOver = true;
    timer.cancel();
    signal.removeEventListener("abort", cancelled);
    for (const stop of stopListening) stop();
    if (threadId !== null) {
      if (turnId !== null) {
        await client
          .request("turn/interrupt", { threadId, turnId }, { deadlineMs: letGoMs })
          .catch(() => undefined);
      }
      letGo(threadId);
    }
  }
}

/** Laid over the configuration: each server by its name, since codex knows no way to leave out all of them. */
function withoutTools(configured: unknown): Record<string, JsonValue> {
  const servers = Object.keys(recordOf(recordOf(recordOf(configured).config).mcp_servers));
  return {
    mcp_servers: Object.fromEntries(servers.map((name) => [name, { enabled: false }])),
    features: Object.fromEntries(featuresWithTools.map((name) => [name, false])),
    web_search: "disabled",
    notify: [],
  };
}

function tooLate(): Fault {
  return new Fault("no_answer", "codex has given no answer in time.", { retryable: true });
}

function noAnswer(detail: string | null): Fault {
  return new Fault("no_answer", "codex has given no answer.", {
    ...(detail === null ? {} : { detail }),
    retryable: true,
  });
}
