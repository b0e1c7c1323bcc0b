// What an editor shows while a script is written: the sandbox's globals as TypeScript declarations, written from the schemas
// that each call is checked against, so that the two cannot differ.

import { z } from "zod";
import { comment, type JsonSchema, shape } from "./schemaShape";
import { tools } from "./tools";

const globals = `
/** Adds to the output, with a space between the values. What is no string is shown as JSON. */
declare function text(...values: unknown[]): void;
/** Adds a picture to the output: a \`data:\` address, or its base64 data with its type. */
declare function image(picture: string | { data: string; mimeType: string }): void;
/** Tells the person something, in a notification too. The script goes on at once. */
declare function notify(message: string): void;
/** Keeps a value for later scripts of this workspace; it is kept when this one completes. */
declare function store(key: string, value: unknown): void;
/** What was kept under this key, by this script or an earlier one. */
declare function load(key: string): unknown;
declare function setTimeout(task: (...args: unknown[]) => unknown, delayMs?: number, ...args: unknown[]): number;
declare function setInterval(task: (...args: unknown[]) => unknown, delayMs?: number, ...args: unknown[]): number;
declare function clearTimeout(timer?: number): void;
declare function clearInterval(timer?: number): void;
/** Adds a line to the output. */
declare const console: Record<"log" | "info" | "warn" | "error" | "debug", (...values: unknown[]) => void>;
`;

/** TypeScript declarations of everything that a script finds beside the language itself. */
export function scriptTypes(): string {
  const verbs = Object.entries(tools).map(([name, { description, args, result }]) => {
    const takes = z.toJSONSchema(args, { io: "input" }) as JsonSchema;
    const gives = z.toJSONSchema(result) as JsonSchema;
    const mayBeLeftOut = (takes.required ?? []).length === 0 ? "?" : "";
    return `${comment(description, "  ")}  ${name}(args${mayBeLeftOut}: ${shape(takes, "  ")}): Promise<${shape(gives, "  ")}>;\n`;
  });
  return `${globals.trimStart()}\ndeclare const tools: {\n${verbs.join("")}};\n`;
}
