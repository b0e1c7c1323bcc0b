// The tour: one turn that shows what a thread is made of. A plan, a command, an edit, a question for approval, a summary.
//
// Where the tour stands is read from the conversation itself: each of its calls carries its stage in the call id. So it goes on
// rightly after a restart of Holdfast, a resumed or forked thread, or a message that was put in between.

import { randomUUID } from "node:crypto";
import { type Edit, editFor, lookCommand } from "./demoProject";
import { breathe, type Pace, quoted, say, think } from "./demoSpeech";
import type { InputEntry, ModelRequest } from "./modelRequest";
import { type PlanStatus, patchItem, planItem, type Step, shellItem } from "./responseSteps";

export interface DemoTools {
  pace: Pace;
  /** Whether the workspace is a git repository, so that there is something to commit to. */
  git: boolean;
}

/** `begin` is the call that makes the plan; the plan is only brought up to date by `plan`, which is no stage. */
type Stage = "begin" | "look" | "edit" | "ask" | "wrap" | "instead";

export interface TourCall {
  stage: Stage;
  /** Null when the call was never answered, as after an interrupt. */
  output: string | null;
  turnMark: string;
}

const callIdForm = /^demo-(begin|look|edit|ask|wrap|instead)-([^-]+)-[^-]+$/;

export function tourCalls(entries: readonly InputEntry[]): TourCall[] {
  const outputs = new Map(
    entries.flatMap((entry) => (entry.type === "output" ? [[entry.callId, entry.text] as const] : [])),
  );
  return entries.flatMap((entry): TourCall[] => {
    const match = entry.type === "call" ? callIdForm.exec(entry.callId) : null;
    if (!match || entry.type !== "call") return [];
    return [
      { stage: match[1] as Stage, turnMark: match[2] ?? "", output: outputs.get(entry.callId) ?? null },
    ];
  });
}

/** What tells the calls of one turn from those of another. */
export function turnMark(request: ModelRequest): string {
  return request.turnId?.replaceAll("-", "").slice(-12) || "once";
}

/** The next response of the tour in this turn. */
export function* tour(request: ModelRequest, tools: DemoTools): Generator<Step> {
  const mark = turnMark(request);
  const calls = tourCalls(request.entries).filter((call) => call.turnMark === mark);
  const last = calls.at(-1);
  if (!last) {
    yield* welcome(request, tools, mark);
    return;
  }
  yield* acknowledge(request, tools.pace);
  const edit = editFor(outputOf(calls, "look") ?? "", `notes/visit-${mark.slice(-6)}.md`);
  const output = last.output ?? "";
  switch (last.stage) {
    case "begin":
      yield* look(tools.pace, mark);
      break;
    case "look":
      yield* change(tools, mark, edit);
      break;
    case "edit":
      if (succeeded(output)) yield* ask(tools, mark, edit);
      else
        yield* goOnWithout(
          tools,
          mark,
          false,
          "The edit was not made, so there is nothing to ask you about.",
        );
      break;
    case "ask": {
      const fate = fateOf(last.output);
      if (fate === "done") yield* wrap(tools, mark);
      else yield* goOnWithout(tools, mark, true, whyNot[fate]);
      break;
    }
    case "wrap":
    case "instead":
      yield* summary(tools, calls, edit);
      break;
    default: {
      const unknown: never = last.stage;
      throw new TypeError(`Unknown stage: ${String(unknown)}`);
    }
  }
}

function* welcome(request: ModelRequest, tools: DemoTools, mark: string): Generator<Step> {
  const { pace } = tools;
  const topic = quoted(request.lastUserText);
  yield* think(
    pace,
    "**Preparing the tour**\n\nNo model thinks here: these lines are part of a script. ",
    "**Choosing the stops**\n\nA plan, a command, an edit, a question for you, a summary.",
  );
  yield* say(
    pace,
    [
      "**Welcome to Holdfast.** I am its demo model: a script, not an AI. Everything around me is real, though. " +
        "The real codex runs my commands and edits in a scratch folder, and nothing leaves this computer.",
      topic
        ? `You wrote ${topic}. A real model would work on that; I'll use it as the start of a short tour.`
        : "Let's start with a short tour.",
      "There will be one question for you on the way, and you can press **Stop** at any time. Later, in this thread, " +
        "send `tour` to see this again, `long` for a long answer, `fail` for a turn that goes wrong, or anything else.",
    ].join("\n\n"),
    "commentary",
  );
  yield plan(tools, mark, "begin", 0);
}

function* look(pace: Pace, mark: string): Generator<Step> {
  yield* breathe(pace);
  yield* say(pace, "First, a look at what is in this folder. Commands run in codex's sandbox.", "commentary");
  yield shellItem(lookCommand, { callId: callId("look", mark), yieldTimeMs: 5_000 });
}

function* change(tools: DemoTools, mark: string, edit: Edit): Generator<Step> {
  const { pace } = tools;
  yield* breathe(pace);
  yield* say(
    pace,
    `A handful of files, nothing unexpected. Now an edit: I'll ${edit.intent}. It will show as a diff, here and under **Changes**.`,
    "commentary",
  );
  yield plan(tools, mark, "plan", 1);
  yield patchItem(edit.patch, { callId: callId("edit", mark) });
}

function* ask(tools: DemoTools, mark: string, edit: Edit): Generator<Step> {
  const { pace, git } = tools;
  yield* breathe(pace);
  yield* say(
    pace,
    "The edit is on disk. The next step needs your leave, because it writes where the sandbox does not let me. " +
      "The decision is yours: approve it to go on, or stop here.",
    "commentary",
  );
  yield plan(tools, mark, "plan", 2);
  const command = git
    ? `git add .; git commit --message "${edit.commitMessage}"`
    : 'echo "The demo was allowed to write this." > ../allowed.txt';
  const justification = git
    ? "May I commit this edit in the demo workspace? The sandbox keeps git's own folder read-only."
    : "May I write one line to allowed.txt, beside the demo workspace? The sandbox lets me write inside it only.";
  yield shellItem(command, { callId: callId("ask", mark), escalate: { justification }, yieldTimeMs: 10_000 });
}

function* wrap(tools: DemoTools, mark: string): Generator<Step> {
  yield* breathe(tools.pace);
  yield* say(tools.pace, "Thank you, that worked.", "commentary");
  yield plan(tools, mark, "wrap", 4);
}

function* goOnWithout(tools: DemoTools, mark: string, edited: boolean, why: string): Generator<Step> {
  yield* breathe(tools.pace);
  yield* say(tools.pace, `${why} I'll go on without it and check how things stand instead.`, "commentary");
  yield plan(tools, mark, "plan", 4, edited);
  yield shellItem("ls", { callId: callId("instead", mark), yieldTimeMs: 5_000 });
}

function* summary(tools: DemoTools, calls: readonly TourCall[], edit: Edit): Generator<Step> {
  const edited = succeeded(outputOf(calls, "edit"));
  const fate = fateOf(outputOf(calls, "ask"));
  const asked = calls.some((call) => call.stage === "ask");
  const granted = tools.git ? `committed as “${edit.commitMessage}”` : "one line written to `allowed.txt`";
  const rows = [
    ["Looked around", `\`${lookCommand}\`, in the sandbox`],
    ["Edited a file", edited ? edit.effect : "not done; the files are as they were"],
    ["Asked you", !asked ? "not needed" : fate === "done" ? `you agreed: ${granted}` : fateWords[fate]],
  ];
  const parts = [
    "### That was the tour",
    ["| Step | Result |", "| --- | --- |", ...rows.map(([step, result]) => `| ${step} | ${result} |`)].join(
      "\n",
    ),
  ];
  if (edited) {
    const language = edit.file.endsWith(".mjs") ? "js" : "md";
    parts.push(`The new part of \`${edit.file}\`:`, `\`\`\`${language}\n${edit.snippet}\n\`\`\``);
  }
  parts.push(
    "Things worth trying now:",
    [
      "- close the window and open it again: this thread is still here, to the letter",
      "- send `long` and scroll up while it streams",
      "- type something and leave it: a draft is kept for each thread",
    ].join("\n"),
    "When you are ready for a real model, sign in or choose a local one under **Settings**.",
  );
  yield* breathe(tools.pace);
  yield* say(tools.pace, parts.join("\n\n"), "final_answer");
}

/** What a person said since the last call of this turn; a real model would let it change its course. */
function* acknowledge(request: ModelRequest, pace: Pace): Generator<Step> {
  const last = request.entries.at(-1);
  if (last?.type !== "user") return;
  const words = quoted(last.text);
  if (!words) return;
  yield* breathe(pace);
  yield* say(pace, `You added ${words}. Noted; being a script, I keep to the tour.`, "commentary");
}

/** Whether a tool did what it was told, by what codex tells the model. */
export function succeeded(output: string | null): boolean {
  return output !== null && /^(Process exited with code 0|Exit code: 0|Success\b)/m.test(output);
}

type Fate = "done" | "declined" | "failed" | "refused" | "not run" | "unanswered";

/** What became of the step that was asked about, by what codex tells the model of it. */
export function fateOf(output: string | null): Fate {
  // The turn was ended while it was asked about, or at work.
  if (output === null || /^aborted\b/im.test(output)) return "unanswered";
  if (succeeded(output)) return "done";
  if (/rejected by user/i.test(output)) return "declined";
  if (/exited with code|^Exit code/m.test(output)) return "failed";
  return /reject|approval policy|policy forbids/i.test(output) ? "refused" : "not run";
}

const whyNot: Record<Exclude<Fate, "done">, string> = {
  declined: "You said no, and that is fine: nothing was done.",
  failed: "The command did not succeed; its output says why.",
  refused: "codex did not let that command run under this thread's settings.",
  "not run": "The command could not be run; the step above says why.",
  unanswered: "What became of that command is not known.",
};

const fateWords: Record<Exclude<Fate, "done">, string> = {
  declined: "you declined, so it was not done",
  failed: "the command was run, and failed",
  refused: "codex did not let it run",
  "not run": "the command could not be run",
  unanswered: "what became of it is not known",
};

function outputOf(calls: readonly TourCall[], stage: Stage): string | null {
  return calls.find((call) => call.stage === stage)?.output ?? null;
}

/** The plan with its first `done` steps behind it. */
function plan(tools: DemoTools, mark: string, stage: Stage | "plan", done: number, edited = true): Step {
  const steps = [
    "Look around",
    edited ? "Edit a file" : "Edit a file (it was not made)",
    tools.git ? "Ask before committing" : "Ask before writing outside the folder",
    "Sum up",
  ];
  const statusAt = (index: number): PlanStatus =>
    index < done ? "completed" : index === done ? "in_progress" : "pending";
  return planItem(
    steps.map((step, index) => ({ step, status: statusAt(index) })),
    { callId: callId(stage, mark) },
  );
}

function callId(stage: Stage | "plan", mark: string): string {
  return `demo-${stage}-${mark}-${randomUUID().slice(0, 8)}`;
}
