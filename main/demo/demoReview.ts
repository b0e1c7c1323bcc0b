// The demo model as a reviewer: it looks at what is different, as a real one would, and answers in the form that codex asks
// a reviewer for. It knows the two edits of the tour; of all else it says what there is, and that a script cannot judge it.

import { breathe, type Pace, say, think } from "./demoSpeech";
import { type DemoTools, succeeded } from "./demoTour";
import type { ModelRequest } from "./modelRequest";
import { type Step, shellItem } from "./responseSteps";

/** Whether codex asks for a review: it gives a reviewer instructions of their own, in place of the model's. */
export function asksForReview({ instructions, body }: ModelRequest): boolean {
  return instructions.startsWith(reviewHeading) || JSON.stringify(body.input ?? []).includes(noteHeading);
}

const reviewHeading = "# Review guidelines:";
/** The same where the instructions come as a message of the developer. */
const noteHeading = `"role":"developer","content":[{"type":"input_text","text":"${reviewHeading}`;

export function* reviewTurn(request: ModelRequest, { pace, git }: DemoTools): Generator<Step> {
  if (!git) {
    yield* answer(pace, {
      findings: [],
      explanation: "This folder is no git repository. Nothing can be compared.",
    });
    return;
  }
  const seen = request.outputsSinceUser.at(-1);
  if (!seen) {
    yield* think(pace, "**Looking at what is different**\n\nNo model thinks here: this is a script.");
    yield shellItem(compareCommand(request.lastUserText), { yieldTimeMs: 5_000 });
    return;
  }
  yield* breathe(pace);
  yield* answer(pace, succeeded(seen.text) ? judged(seen.text) : { findings: [], explanation: notCompared });
}

const notCompared = "The changes could not be read; the output of the command above says why.";

/** Prints where the folder is, what is new in it, and the diff. A POSIX shell and PowerShell both know it. */
export function compareCommand(task: string): string {
  const commit = /\bby commit ([0-9a-f]{4,64})\b/.exec(task)?.[1];
  const branch = /\bbase branch '(\w[\w./-]*)'/.exec(task)?.[1];
  const root = "git rev-parse --show-toplevel";
  if (commit !== undefined) return `${root}; git show --format= ${commit}`;
  if (branch !== undefined) return `${root}; git diff ${branch}`;
  return `${root}; git status --short --untracked-files=all; git diff HEAD`;
}

interface Finding {
  title: string;
  body: string;
  file: string;
  line: number;
}

interface Judgement {
  findings: readonly Finding[];
  explanation: string;
}

/** What the demo has to say of an added line; both are about edits of its own tour. */
const remarks: readonly { of: string; title: string; body: string }[] = [
  {
    of: "new Date().getHours()",
    title: "[P3] The hour is that of the sender",
    body: "`getHours()` asks the clock of the computer that prints. A card to someone far away may wish them a good evening at breakfast; pass `hour` where it matters.",
  },
  {
    of: "export function farewell(",
    title: "[P3] Nothing says goodbye yet",
    body: "`farewell` is exported, and nothing calls it. Either `print.mjs` should, or it can wait until something does.",
  },
];

/** Judges what the command printed. */
export function judged(output: string): Judgement {
  const lines = output.replaceAll("\r\n", "\n").split("\n");
  const root = lines.find((line) => /^(\/|[A-Za-z]:[\\/])/.test(line)) ?? "";
  const files = new Set(lines.flatMap((line) => /^\?\? "?(.+?)"?$/.exec(line)?.[1] ?? []));
  const findings: Finding[] = [];
  let file = "";
  let next = 0;
  for (const line of lines) {
    const compared = /^diff --git a\/.+ b\/(.+)$/.exec(line)?.[1];
    const hunk = /^@@ -\S+ \+(\d+)/.exec(line)?.[1];
    if (compared !== undefined) {
      file = compared;
      files.add(file);
    } else if (hunk !== undefined) next = Number(hunk);
    else if (line.startsWith("+") && !line.startsWith("+++")) {
      const remark = remarks.find(({ of }) => line.includes(of));
      if (remark)
        findings.push({ title: remark.title, body: remark.body, file: `${root}/${file}`, line: next });
      next++;
    } else if (line.startsWith(" ")) next++;
  }
  return { findings, explanation: explanation([...files], findings.length) };
}

function explanation(files: readonly string[], findings: number): string {
  if (files.length === 0) return "Nothing is different, so there is nothing to review.";
  const named = files.slice(0, 3).map((file) => `\`${file}\``);
  const more = files.length - named.length;
  const what = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return findings > 0
    ? `I looked at ${what}. What is there works; the remarks are small. I am a script: I know the edits of the tour, and no others.`
    : `I looked at ${what} and have no remark. I am a script: I know the edits of the tour, and no others.`;
}

/** In the form that codex's instructions for a reviewer ask for. */
function* answer(pace: Pace, { findings, explanation }: Judgement): Generator<Step> {
  const told = {
    findings: findings.map(({ title, body, file, line }) => ({
      title,
      body,
      confidence_score: 1,
      priority: 3,
      code_location: { absolute_file_path: file, line_range: { start: line, end: line } },
    })),
    overall_correctness: "patch is correct",
    overall_explanation: explanation,
    overall_confidence_score: 1,
  };
  yield* say(pace, JSON.stringify(told), "final_answer");
}
