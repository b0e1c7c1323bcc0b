// The words of notifications, and what can be decided in one. Pure.

import type { Decision, Request } from "../../preload/contract/requests";
import { firstWords, lastWords, oneLine, plainText } from "../plainText";
import type { News } from "./attentionMachine";

/** What is known of one piece of news when it is shown. */
export interface Told extends News {
  /** Of its thread or its script, as it is called now. */
  title: string;
  /** What it is about; null: nothing is known. */
  about: string | null;
  request: Request | null;
}

export interface NotificationText {
  title: string;
  body: string;
}

const longestTitle = 80;
export const longestBody = 200;

const kindWords: Record<News["kind"], string> = {
  finished: "Finished",
  failed: "Failed",
  needsYou: "Needs you",
  script: "A script tells you something",
};

export function textOfOne(told: Told, details: boolean): NotificationText {
  const title = firstWords(oneLine(told.title), longestTitle);
  if (!details) return { title, body: kindWords[told.kind] };
  const about = told.about === null ? "" : oneLine(told.about);
  switch (told.kind) {
    case "finished": {
      const answer = lastWords(plainText(told.about ?? ""), longestBody);
      return { title, body: answer === "" ? "Finished" : answer };
    }
    case "failed":
      return { title, body: firstWords(about === "" ? "Failed" : `Failed: ${about}`, longestBody) };
    case "needsYou":
      return { title, body: firstWords(about === "" ? "Needs you" : about, longestBody) };
    case "script":
      return { title, body: firstWords(about === "" ? kindWords.script : about, longestBody) };
    default:
      return told.kind satisfies never;
  }
}

/** How many of what, and what they are called. */
export function textOfMany(told: readonly Told[], isSummary: boolean): NotificationText {
  const count = (kind: News["kind"]) => told.filter((each) => each.kind === kind).length;
  const threads = (number: number) => (number === 1 ? "1 thread" : `${number} threads`);
  const [finished, failed, asks, said] = [
    count("finished"),
    count("failed"),
    count("needsYou"),
    count("script"),
  ];
  const parts = [
    ...(finished > 0 ? [`${threads(finished)} finished`] : []),
    ...(failed > 0 ? [`${finished > 0 ? failed : threads(failed)} failed`] : []),
    ...(asks > 0 ? [asks === 1 ? "1 needs you" : `${asks} need you`] : []),
    ...(said > 0 ? [said === 1 ? "1 message of a script" : `${said} messages of scripts`] : []),
  ];
  const words = parts.join(", ");
  const names = [...new Set(told.map(({ title }) => firstWords(oneLine(title), 40)))].join(", ");
  return {
    title: isSummary ? `${words} while Holdfast was away` : words,
    body: firstWords(names, longestBody),
  };
}

/** What codex waits for, in a line. A secret is in no question. */
export function wordsOfRequest(request: Request): string {
  switch (request.kind) {
    case "command":
      return request.network === null
        ? `Waiting for approval to run: ${request.command}`
        : `Waiting for approval to reach ${request.network}: ${request.command}`;
    case "fileChange": {
      const files = request.files.join(", ");
      return `Waiting for approval to change ${files === "" ? "files" : files}`;
    }
    case "permissions":
      return `Waiting for approval: ${request.permissions.join(", ")}`;
    case "questions":
      return `Asks: ${request.questions[0]?.question ?? request.title}`;
    case "link":
      return `${request.server} asks: ${request.message}`;
    default:
      return request satisfies never;
  }
}

/**
 * The decisions that can be taken in the notification itself, exactly as codex offers them. Nothing is allowed there whose
 * whole extent is not in sight: a command that had to be shortened or put into one line, a rule that lasts.
 */
export function decisionsInSight(told: Told, { body }: NotificationText, details: boolean): Decision[] {
  const { request } = told;
  if (request === null || request.kind === "questions" || request.kind === "link") return [];
  // Letter by letter: what was left out to make one line of it may be what matters.
  const isWhole = details && body === told.about;
  return request.decisions.filter(({ tone, scope }) => tone === "decline" || (isWhole && scope === null));
}
