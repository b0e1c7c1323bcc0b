// What does not fit about the arguments of a call, in words for whoever writes the script. Pure.

import type { z } from "zod";

/** `known`: the names of all that the tool takes. */
export function wrongArguments(issues: readonly z.core.$ZodIssue[], known: readonly string[]): string {
  // What is not known first: it is often what is missing, under another name.
  const unknown = issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
  const wrong = issues.filter((issue) => issue.code !== "unrecognized_keys");
  const words = [...unknown.map((key) => `“${key}” is not known`), ...wrong.map(inWords)].join("; ");
  return unknown.length > 0 && wrong.length === 0 ? `${words}; it takes ${known.join(", ")}` : words;
}

function inWords(issue: z.core.$ZodIssue): string {
  const what = issue.path.length === 0 ? "what it is called with" : `“${issue.path.join(".")}”`;
  if (issue.path.length > 0 && issue.input === undefined) return `${what} is missing`;
  return `${what} ${expected(issue)}`;
}

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      if (issue.origin !== "number" && issue.origin !== "int" && issue.minimum === 1)
        return "must not be empty";
      return `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    case "invalid_format":
      // The only one here is that of a message.
      return "must say something";
    default:
      return `does not fit: ${issue.message}`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  array: "an array",
  object: "an object",
};

function measure(origin: string): string {
  return origin === "string" || origin === "array" ? "have" : "be";
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}
