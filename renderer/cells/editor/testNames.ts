// Names for tests, in the form in which main gives them.

import type { ScriptName } from "../../../preload/contract/cells";
import { scriptNames } from "./scriptNames";

function named(part: Partial<ScriptName> & { name: string }): ScriptName {
  return { signature: "(): void", description: `About ${part.name}.`, fields: [], gives: [], ...part };
}

const field = (name: string, type = "string", optional = false) => ({
  name,
  type,
  optional,
  description: "",
});
const given = (name: string, type = "string") => ({ name, type, description: `The ${name}.` });

export const testNames = scriptNames([
  named({
    name: "tools.startThread",
    signature: "(args: { text: string; sandbox?: string }): Promise<{ threadId: string }>",
    fields: [
      field("text"),
      field("sandbox", '"read-only" | "workspace-write"', true),
      field("folder", "string", true),
    ],
    gives: [given("threadId")],
  }),
  named({
    name: "tools.listThreads",
    signature: "(args?: { limit?: number }): Promise<Array<{ threadId: string; title: string }>>",
    fields: [field("limit", "number", true)],
    gives: [given("threadId"), given("title")],
  }),
  named({
    name: "tools.waitForTurn",
    signature: "(args: { threadId: string }): Promise<{ status: string; answer: string }>",
    fields: [field("threadId")],
    gives: [given("status"), given("answer")],
  }),
  named({ name: "text", signature: "(value: unknown): void" }),
  named({ name: "notify", signature: "(message: string): void" }),
  named({ name: "console.log", signature: "(...values: unknown[]): void" }),
]);
