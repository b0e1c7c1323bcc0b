// What codex has queued of a message, against what was written here.
//
// The file of an image can be steered, taken back or sent again, so it is never forgotten for the data that codex lists in
// its place (see `isAsAttached`); and the data can be queued again although its file has gone, so it is kept in an edit.

import type { Attachment } from "../../../preload/contract/items";
import type { UserInput } from "../../codex/protocol/v2/UserInput";
import { attachmentsIn } from "../itemView/message";
import { recordsOf } from "../loose";
import { inputOf, isAsAttached, type Written, writtenIn } from "../userInput";

/** What somebody else has made of our message in codex's queue; null: it is as we have it. */
export function rewrittenIn(ours: Written, input: readonly unknown[]): Written | null {
  const listed = writtenIn(input);
  // An entry without any words that can be read says nothing about ours.
  if (listed.text === "" && listed.attachments.length === 0) return null;
  if (!isAsAttached(ours.attachments, listed.attachments)) return listed;
  return listed.text === ours.text ? null : { text: listed.text, attachments: ours.attachments };
}

/** The entry with new words, and with what it had of the attachments that stay. `ours`: how they are known here, if they are. */
export function rewritten(
  before: readonly unknown[],
  written: Written,
  ours: readonly Attachment[] | null,
): UserInput[] {
  const others = recordsOf([...before]).filter(({ type }) => type !== "text");
  const listed = others.flatMap((input) =>
    attachmentsIn([input]).map((attachment) => ({ input, attachment })),
  );
  const isKnown =
    ours !== null &&
    isAsAttached(
      ours,
      listed.map(({ attachment }) => attachment),
    );
  const left = listed.map(({ input, attachment }, at) => ({
    input,
    attachment: (isKnown && ours[at]) || attachment,
  }));
  const attached = written.attachments.flatMap((attachment) => {
    const at = left.findIndex((one) => isTheSame(one.attachment, attachment));
    const [there] = at < 0 ? [] : left.splice(at, 1);
    return there ? [asInput(there.input)] : inputOf({ text: "", attachments: [attachment] });
  });
  const unseen = others.filter((input) => attachmentsIn([input]).length === 0).map(asInput);
  return [...inputOf({ text: written.text, attachments: [] }), ...attached, ...unseen];
}

function isTheSame(one: Attachment, other: Attachment): boolean {
  return one.kind === other.kind && one.path === other.path && one.name === other.name;
}

/** codex gets back what it gave. */
function asInput(input: Readonly<Record<string, unknown>>): UserInput {
  return input as UserInput;
}
