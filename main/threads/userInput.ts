// What a person writes, as codex takes it, and back.

import type { Attachment } from "../../preload/contract/items";
import type { UserInput } from "../codex/protocol/v2/UserInput";
import { attachmentsIn, userText } from "./itemView/message";
import { recordsOf } from "./loose";

export interface Written {
  text: string;
  attachments: Attachment[];
}

export function inputOf({ text, attachments }: Written): UserInput[] {
  const input: UserInput[] = text === "" ? [] : [{ type: "text", text, text_elements: [] }];
  for (const attachment of attachments) {
    if (attachment.kind === "image") input.push({ type: "localImage", path: attachment.path });
    else input.push({ type: "mention", name: attachment.name, path: attachment.path });
  }
  return input;
}

export function writtenIn(input: readonly unknown[]): Written {
  const content = [...input];
  return { text: userText({ content }), attachments: attachmentsIn(content) };
}

/**
 * Whether codex lists what was attached here. It reads an image when it is queued, and lists it as data that tells of no
 * file: so what is listed without a path may well be the image that we know the file of.
 */
export function isAsAttached(ours: readonly Attachment[], listed: readonly Attachment[]): boolean {
  return (
    ours.length === listed.length &&
    ours.every((attachment, at) => {
      const { kind, path } = listed[at] ?? attachment;
      return kind === attachment.kind && (path === attachment.path || (kind === "image" && path === ""));
    })
  );
}

/** Whether nothing of it is lost when it is written anew from what a window shows of it. */
export function isPlain(input: readonly unknown[]): boolean {
  return recordsOf([...input]).every(
    ({ type }) => type === "text" || type === "localImage" || type === "mention",
  );
}
