import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharing } from "../sharing";
import { asMarkdown } from "./markdown";
import { diagnosticSections } from "./sections";
import { diagnosticsOf } from "./testDiagnostics";

const redact = sharing({
  homeFolder: "/home/marigold",
  environment: { ACME_TOKEN: "pass phrase of nobody" },
  login: () => null,
});
const sectionsOf = (text: () => string) => diagnosticSections(diagnosticsOf(text), redact);
const markdownOf = (text: () => string) => asMarkdown(sectionsOf(text), "now");

/** Each in words around it, as they stand in errors, command lines and paths. */
const forms: ((core: string) => string)[] = [
  (core) => `sk-proj-${core}`,
  (core) => `ghp_${core}`,
  (core) => `failed: Authorization: Bearer ${core}`,
  (core) => `https://me:${core}@example.org/x`,
  (core) => `codex -c x.api_key="${core}"`,
  (core) => `run --token ${core} now`,
  (core) => `{"refresh_token":"${core}"}`,
  (core) => `MY_SECRET=${core}`,
  (core) => `eyJhbGciOiJIUzI1NiJ9.${core}.${core}`,
  (core) => `-----BEGIN PRIVATE KEY-----\n${core}\n-----END PRIVATE KEY-----`,
  (core) => `/tmp/x?access_token=${core}`,
  (core) => `it said ${core}`,
];
const secret = fc
  .array(fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"), {
    minLength: 29,
    maxLength: 29,
  })
  .map((each) => `aB7${each.join("")}`);

describe("diagnostics", () => {
  it("have a secret in no field, whatever shape it has, on the page or in what is copied", () => {
    fc.assert(
      fc.property(secret, fc.infiniteStream(fc.constantFrom(...forms)), (core, shapes) => {
        const text = () => (shapes.next().value ?? ((each: string) => each))(core);
        const sections = sectionsOf(text);
        expect(JSON.stringify(sections)).not.toContain(core);
        expect(asMarkdown(sections, "now")).not.toContain(core);
      }),
      { numRuns: 60 },
    );
  });

  it("have no e-mail address, no home folder and no value of a secret variable in any field", () => {
    for (const words of [
      "a.person@example.org",
      "/home/marigold/x",
      "/home/other/x",
      "pass phrase of nobody",
    ]) {
      const copied = markdownOf(() => `about ${words}.`);
      for (const taken of ["a.person", "marigold", "/home/other", "pass phrase"])
        expect(copied).not.toContain(taken);
    }
  });

  it("say what is known, in its place, and pids and versions as they are", () => {
    const copied = markdownOf(() => "words");
    for (const known of [
      "`4711`",
      "39.2.7",
      "pid: 815",
      "socket mode: 0600",
      "| 816 | watchdog | running | yes | 26.0 MB |",
      "Version of its tables: `5`",
      "OPENAI_API_KEY: `[redacted]`",
      "Max open files",
      "memory: not known here",
      "5 KB or more",
    ]) {
      expect(copied).toContain(known);
    }
  });

  it("say of a part that could not be found out why, and all the others as usual", () => {
    const raw = { ...diagnosticsOf(() => "words"), ledger: { failed: "the disk is gone" } };
    const sections = diagnosticSections(raw, redact);
    const ledger = sections.find(({ id }) => id === "ledger");
    expect(ledger?.note).toBe("This could not be found out: the disk is gone");
    expect(sections.find(({ id }) => id === "sessions")?.texts).toHaveLength(1);
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
  });

  it("say whether codex's file is the one that was found", () => {
    const raw = diagnosticsOf(() => "words");
    const file = { path: "/x", bytes: 10, modifiedAtMs: 5, inode: 1 };
    const said = (now: typeof file | null) => {
      const sections = diagnosticSections({ ...raw, binary: { value: { found: file, now } } }, redact);
      return sections.find(({ id }) => id === "codex")?.facts.find(({ name }) => name === "File")?.value;
    };
    expect(said(file)).toContain("unchanged");
    expect(said({ ...file, bytes: 11 })).toContain("changed on disk");
    expect(said(null)).toContain("gone");
  });

  it("cut what is very long, before it is looked through", () => {
    const copied = markdownOf(() => "x ".repeat(50_000));
    expect(copied.length).toBeLessThan(1_500_000);
  });
});

describe("Markdown", () => {
  it("keeps what is in a text from ending its block, its cell or its line", () => {
    const section = {
      id: "a",
      title: "A",
      note: null,
      facts: [{ name: "one", value: "`tick` and\nline" }],
      table: { columns: ["x"], rows: [["a|b\nc"]] },
      texts: [{ title: "t", text: "```\nfence" }],
    };
    const text = asMarkdown([section], "now");
    expect(text).toContain("- one: `` `tick` and line ``");
    expect(text).toContain("| a\\|b c |");
    expect(text).toContain("````\n```\nfence\n````");
  });
});
