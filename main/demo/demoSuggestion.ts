// The demo model as one who words commits: it says what was done to which files, which a script can see.

import { suggestionHeading } from "../workspaces/changes/suggestion";
import { breathe, type Pace, say } from "./demoSpeech";
import type { ModelRequest } from "./modelRequest";
import type { Step } from "./responseSteps";

/** Whether codex passes on the question for a commit's message. */
export function asksForMessage({ instructions, body }: ModelRequest): boolean {
  return (
    instructions.includes(suggestionHeading) || JSON.stringify(body.input ?? []).includes(suggestionHeading)
  );
}

export function* suggestionTurn(request: ModelRequest, pace: Pace): Generator<Step> {
  yield* breathe(pace);
  yield* say(pace, JSON.stringify({ message: messageFor(request.lastUserText) }), "final_answer");
}

interface Changed {
  path: string;
  verb: "Add" | "Remove" | "Rename" | "Change";
}

/** What the question tells of the difference is as git writes it. */
export function messageFor(question: string): string {
  const changed: Changed[] = [];
  for (const line of question.replaceAll("\r\n", "\n").split("\n")) {
    const path = /^diff --git "?a\/.+ "?b\/(.+?)"?$/.exec(line)?.[1];
    const last = changed.at(-1);
    if (path !== undefined) changed.push({ path, verb: "Change" });
    else if (last && line.startsWith("new file mode ")) last.verb = "Add";
    else if (last && line.startsWith("deleted file mode ")) last.verb = "Remove";
    else if (last && line.startsWith("rename to ")) last.verb = "Rename";
  }
  const listed = question.split("New files:\n\n- ")[1]?.split("\nThe ")[0] ?? "";
  for (const path of listed.split("\n").map((line) => line.replace(/^- /, ""))) {
    if (path !== "") changed.push({ path, verb: "Add" });
  }
  const [first, ...more] = changed;
  if (!first) return "Change files";
  const verb = changed.every((each) => each.verb === first.verb) ? first.verb : "Change";
  const name = first.path.split("/").at(-1) ?? first.path;
  const others =
    more.length === 0 ? "" : more.length === 1 ? " and another file" : ` and ${more.length} other files`;
  const subject = `${verb} ${name}${others}`;
  if (more.length === 0) return subject;
  return `${subject}\n\n${changed
    .slice(0, 10)
    .map((each) => `- ${each.verb} ${each.path}`)
    .join("\n")}`;
}
