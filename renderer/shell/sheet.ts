// What the sheet of shortcuts lists: every command by its group, then the keys of single places. Pure but for the commands.

import { slashCommands } from "../composer/slash";
import { prefixes } from "../palette/prefixes";
import { keyText } from "../ui/keys";
import type { CommandGroup } from "./command";
import { commandById, commands } from "./commands";
import { placeShortcuts } from "./placeShortcuts";

export interface SheetRow {
  words: string;
  /** Empty: it is only in the palette. */
  keys: readonly string[];
  /** They are typed as they stand there. */
  typed?: boolean;
}

export interface SheetSection {
  title: string;
  rows: readonly SheetRow[];
}

export const sheetGroups: readonly CommandGroup[] = [
  "Threads",
  "Changes",
  "Finding",
  "Cells",
  "Environments",
  "codex",
  "Terminals",
  "Workspaces",
  "Window",
  "Holdfast",
];

export function allSections(): SheetSection[] {
  return [
    ...sheetGroups.map((group) => ({
      title: group,
      // Those with keys first: they are what one looks for here.
      rows: commands
        .filter((command) => command.group === group)
        .map(({ title, shortcuts = [] }) => ({ words: title, keys: shortcuts }))
        .sort((a, b) => Number(a.keys.length === 0) - Number(b.keys.length === 0)),
    })),
    {
      title: "As the first character in the palette",
      rows: prefixes.map(({ prefix, words }) => ({ words, keys: [prefix], typed: true })),
    },
    {
      title: "Typed into the message field",
      rows: [
        ...slashCommands.map(({ name, commandId }) => ({
          words: commandById(commandId)?.title ?? name,
          keys: [`/${name}`],
          typed: true,
        })),
        { words: "A file of the workspace", keys: ["@"], typed: true },
      ],
    },
    ...placeShortcuts.map(({ title, rows }) => ({ title, rows })),
  ];
}

/** Those that have these words in what they do, where they work or which keys they are. */
export function sheetSections(wanted: string): SheetSection[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return allSections()
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter((row) => {
        const keys = row.keys.flatMap((key) => (row.typed ? [key] : [key, keyText(key)]));
        const text = `${title} ${row.words} ${keys.join(" ")}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
}
