// The names that an editor completes, against what a script really finds.

import { describe, expect, test } from "vitest";
import { scriptNameSchema } from "../../../preload/contract/cells";
import { startScript } from "../script/testSandbox";
import { scriptNames } from "./scriptNames";
import { toolNames } from "./tools";
import { scriptTypes } from "./toolTypes";

const byName = new Map(scriptNames().map((one) => [one.name, one]));

describe("the names for the editor", () => {
  test("are all tools and everything else that a script finds", async () => {
    const script = await startScript(`
      const plain = "text image notify store load setTimeout setInterval clearTimeout clearInterval".split(" ");
      text(JSON.stringify([
        ...plain.filter((name) => typeof globalThis[name] === "function"),
        ...Object.keys(console).map((name) => "console." + name),
      ]));
    `);
    const found = JSON.parse(script.texts()[0] ?? "[]") as string[];
    expect([...byName.keys()]).toEqual([...toolNames.map((name) => `tools.${name}`), ...found]);
    for (const name of byName.values()) {
      expect(scriptNameSchema.strict().parse(name)).toEqual(name);
      expect(name.description).not.toBe("");
    }
  });

  test("have the fields of their argument and of their result", () => {
    expect(byName.get("tools.interrupt")).toEqual({
      name: "tools.interrupt",
      signature: "(args: { threadId: string }): Promise<{ interrupted: boolean }>",
      description:
        "Stops the turn that runs in a thread, and waits until it has ended. Its follow-ups are held then.",
      fields: [
        {
          name: "threadId",
          type: "string",
          optional: false,
          description: "Which thread, as startThread and listThreads name it.",
        },
      ],
      gives: [{ name: "interrupted", type: "boolean", description: "False: no turn was running." }],
    });
    const list = byName.get("tools.listThreads");
    expect(list?.signature).toMatch(/^\(args\?: \{ folder\?: string; limit\?: number \}\): Promise<Array</);
    expect(list?.fields.every((field) => field.optional)).toBe(true);
    // A list of threads: what each of them has.
    expect(list?.gives.map((field) => field.name)).toContain("threadId");
    expect(
      byName.get("tools.startThread")?.fields.map((field) => [field.name, field.optional]),
    ).toContainEqual(["text", false]);
  });

  test("of the sandbox are declared with the same signatures", () => {
    const declarations = scriptTypes();
    for (const { name, signature } of byName.values()) {
      if (!name.includes(".")) expect(declarations).toContain(`declare function ${name}${signature};`);
      else if (name.startsWith("tools.")) expect(declarations).toContain(`  ${name.slice(6)}(`);
    }
  });
});
