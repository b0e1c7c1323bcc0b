// What was gathered, put into words: the same for the page, for what is copied and for what is saved. Pure. Every text goes
// through `redact`, and what is named like a secret is not said at all.

import type { DiagnosticSection } from "../../../preload/contract/diagnostics";
import { isSecretName } from "../../redact";
import type { RawDiagnostics } from "./rawDiagnostics";
import { runningSections } from "./runningSections";
import type { Section } from "./section";
import { systemSections } from "./systemSections";

const longestText = 8_000;
const withheld = "[redacted]";

export function diagnosticSections(
  raw: RawDiagnostics,
  redact: (text: string) => string,
): DiagnosticSection[] {
  const [versions, ...system] = systemSections(raw);
  // Versions first, then what runs, then what it runs on.
  const ordered = [versions, ...runningSections(raw), ...system].filter((each) => each !== undefined);
  return ordered.map((section) => withoutSecrets(section, redact));
}

function withoutSecrets(section: Section, redact: (text: string) => string): DiagnosticSection {
  // Long texts first: looking through them takes time with their length.
  const clean = (text: string) => redact(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
  const said = (name: string, value: string) => (isSecretName(name) ? withheld : clean(value));
  const { id, title, note = null, facts = [], table = null, texts = [] } = section;
  return {
    id,
    title,
    note: note === null ? null : clean(note),
    facts: facts.map(({ name, value }) => ({ name: clean(name), value: said(name, value) })),
    table: table && {
      columns: table.columns,
      rows: table.rows.map((row) => row.map((cell, at) => said((at > 0 && row[0]) || "", cell))),
    },
    texts: texts.map((each) => ({ title: clean(each.title), text: clean(each.text) })),
  };
}
