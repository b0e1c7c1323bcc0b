// What a script can do: the verbs that the person has in the window. One list; the sandbox offers these names, the runtime
// checks each call against its schema, and the editor's completion is written from the same schemas (toolTypes.ts).

import { z } from "zod";
import { Fault } from "../../fault";
import { wrongArguments } from "./wrongArguments";

const threadId = z.string().min(1).max(200).describe("Which thread, as startThread and listThreads name it.");
const folder = z
  .string()
  .min(1)
  .max(4096)
  .describe("The folder of an open workspace. Without it: the workspace that the script runs in.");
const message = z.string().max(200_000).regex(/\S/, "it says nothing");

const threadState = z.enum([
  "running",
  "waiting for approval",
  "waiting for answer",
  "idle",
  "not loaded",
  "interrupted",
  "failed",
]);

const threadSummary = z.object({
  threadId: z.string(),
  title: z.string(),
  state: threadState,
  folder: z.string(),
  updatedAtMs: z.number(),
});

const turnOutcome = z.object({
  turnId: z.string(),
  status: z.enum(["completed", "interrupted", "failed"]),
  answer: z.string().describe("What the agent said last in this turn."),
  error: z.string().nullable().describe("Why it failed or was interrupted."),
});

const transcriptItem = z.object({
  kind: z.string().describe('"You", "Script", "Agent", "Command", "File change", ...'),
  text: z.string(),
});

export const tools = {
  listThreads: {
    description: "The threads of a workspace, the newest first.",
    args: z.strictObject({
      folder: folder.optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    result: z.array(threadSummary),
  },
  startThread: {
    description: "Starts a thread with its first message, and answers as soon as the agent has taken it.",
    args: z.strictObject({
      text: message.describe("The first message."),
      folder: folder.optional(),
      model: z.string().max(200).optional(),
      effort: z.string().max(50).optional(),
      sandbox: z.enum(["read-only", "workspace-write", "danger-full-access"]).optional(),
      approvalPolicy: z.enum(["untrusted", "on-request", "never"]).optional(),
      environment: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("The name or id of the environment in which its commands run. Without it: this machine."),
      environmentFolder: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe("The full path of the folder there. Without it: the path that the workspace has here."),
    }),
    result: z.object({ threadId: z.string() }),
  },
  sendMessage: {
    description:
      "Sends a message to a thread, which begins a turn; while one runs, it is taken into that. Answers as soon as codex has it.",
    args: z.strictObject({ threadId, text: message }),
    result: z.object({ threadId: z.string() }),
  },
  queueFollowUp: {
    description:
      "Leaves a message that is sent by itself when the thread's turn has ended; at once when none runs.",
    args: z.strictObject({ threadId, text: message }),
    result: z.object({ threadId: z.string() }),
  },
  waitForTurn: {
    description:
      "Waits until no turn runs in the thread and no follow-up is about to be sent there; says how the last turn ended. While a turn waits for an approval or an answer of the person, so does this. Follow-ups that are held, since a turn failed or was stopped, are not waited for.",
    args: z.strictObject({
      threadId,
      timeoutMs: z.number().int().min(1).max(86_400_000).optional().describe("Fails after so long."),
    }),
    result: turnOutcome,
  },
  readThread: {
    description: "The transcript of a thread: its last turns, the oldest of them first.",
    args: z.strictObject({ threadId, turns: z.number().int().min(1).max(200).default(20) }),
    result: z.object({
      title: z.string(),
      state: threadState,
      turns: z.array(
        z.object({
          turnId: z.string(),
          status: z.enum(["running", "completed", "interrupted", "failed"]),
          items: z.array(transcriptItem),
        }),
      ),
      hasOlder: z.boolean(),
    }),
  },
  interrupt: {
    description:
      "Stops the turn that runs in a thread, and waits until it has ended. Its follow-ups are held then.",
    args: z.strictObject({ threadId }),
    result: z.object({ interrupted: z.boolean().describe("False: no turn was running.") }),
  },
  runCommand: {
    description:
      "Runs a command in codex's sandbox, with what new threads of the workspace may do, and waits for its end. Its words are not read by a shell.",
    args: z.strictObject({
      command: z.array(z.string().max(100_000)).min(1).max(1_000).describe('["git", "diff"]'),
      folder: folder.optional(),
      timeoutMs: z
        .number()
        .int()
        .min(1)
        .max(3_600_000)
        .optional()
        .describe("Ends it after so long, which is then an error. Without it: after an hour."),
    }),
    result: z.object({
      exitCode: z.number(),
      stdout: z.string(),
      stderr: z.string(),
      isCut: z.boolean().describe("There was more output than is kept, which is 1 MiB of each."),
    }),
  },
  createWorktree: {
    description:
      "Makes a worktree of the workspace's repository on a new branch, and opens it as a workspace. It stays when the script has ended.",
    args: z.strictObject({
      name: z
        .string()
        .min(1)
        .max(200)
        .describe("Its branch. A number is added where there is one of that name."),
      base: z.string().max(500).optional().describe("What it starts from. Without it: what is checked out."),
      folder: folder.optional(),
    }),
    result: z.object({ folder: z.string().describe("For startThread and runCommand."), branch: z.string() }),
  },
  ask: {
    description: "Asks the person, and waits for the answer.",
    args: z.strictObject({
      question: z.string().min(1).max(10_000),
      options: z.array(z.string().min(1).max(500)).max(20).optional().describe("Answers to choose from."),
    }),
    result: z.object({ answer: z.string() }),
  },
} as const satisfies Record<string, { description: string; args: z.ZodType; result: z.ZodType }>;

export type ToolName = keyof typeof tools;
export type ToolArgs<Name extends ToolName> = z.infer<(typeof tools)[Name]["args"]>;
export type ToolResult<Name extends ToolName> = z.infer<(typeof tools)[Name]["result"]>;

export const toolNames = Object.keys(tools) as ToolName[];

/** The arguments as the tool wants them. Throws Fault `bad_arguments` or `unknown_tool`. */
export function readCall(name: string, args: string): { name: ToolName; args: unknown } {
  if (!isTool(name)) throw new Fault("unknown_tool", `There is no tool “${name}”.`);
  const read = tools[name].args.safeParse(JSON.parse(args), { reportInput: true });
  if (read.success) return { name, args: read.data };
  const known = Object.keys(tools[name].args.shape);
  throw new Fault("bad_arguments", `tools.${name}: ${wrongArguments(read.error.issues, known)}`);
}

function isTool(name: string): name is ToolName {
  return Object.hasOwn(tools, name);
}
