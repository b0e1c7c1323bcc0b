// The names that a script finds, for completion while it is written. Those of the tools come from the same schemas that each
// call is checked against; those of the sandbox itself are the ones that toolTypes.ts declares.

import { z } from "zod";
import type { ScriptName } from "../../../preload/contract/cells";
import { isOptional, type JsonSchema, shape } from "./schemaShape";
import { tools } from "./tools";

export function scriptNames(): ScriptName[] {
  const verbs = Object.entries(tools).map(([name, { description, args, result }]): ScriptName => {
    const takes = z.toJSONSchema(args, { io: "input" }) as JsonSchema;
    const gives = z.toJSONSchema(result) as JsonSchema;
    const mayBeLeftOut = (takes.required ?? []).length === 0 ? "?" : "";
    return {
      name: `tools.${name}`,
      signature: `(args${mayBeLeftOut}: ${shape(takes, null)}): Promise<${shape(gives, null)}>`,
      description,
      fields: fieldsOf(takes),
      gives: fieldsOf(gives.type === "array" ? (gives.items ?? {}) : gives).map(
        ({ optional: _, ...field }) => field,
      ),
    };
  });
  return [...verbs, ...globals, ...consoleNames];
}

function fieldsOf(schema: JsonSchema): ScriptName["fields"] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: shape(field, null),
    optional: isOptional(schema, name),
    description: field.description ?? "",
  }));
}

const timer = "(task: (...args: unknown[]) => unknown, delayMs?: number, ...args: unknown[]): number";

const globals: ScriptName[] = [
  plain(
    "text",
    "(...values: unknown[]): void",
    "Adds to the output, with a space between the values. What is no string is shown as JSON.",
  ),
  {
    ...plain(
      "image",
      "(picture: string | { data: string; mimeType: string }): void",
      "Adds a picture to the output: a data: address, or its base64 data with its type.",
    ),
    fields: [
      { name: "data", type: "string", optional: false, description: "In base64." },
      { name: "mimeType", type: "string", optional: false, description: '"image/png", "image/jpeg", ...' },
    ],
  },
  plain(
    "notify",
    "(message: string): void",
    "Tells the person something, in a notification too. The script goes on at once.",
  ),
  plain(
    "store",
    "(key: string, value: unknown): void",
    "Keeps a value for later scripts of this workspace; it is kept when this one completes.",
  ),
  plain("load", "(key: string): unknown", "What was kept under this key, by this script or an earlier one."),
  plain("setTimeout", timer, "Runs a function once, after a while."),
  plain("setInterval", timer, "Runs a function again and again."),
  plain("clearTimeout", "(timer?: number): void", "It is not run any more."),
  plain("clearInterval", "(timer?: number): void", "It is not run any more."),
];

const consoleNames: ScriptName[] = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
  plain(`console.${name}`, "(...values: unknown[]): void", "Adds a line to the output."),
);

function plain(name: string, signature: string, description: string): ScriptName {
  return { name, signature, description, fields: [], gives: [] };
}
