// What a setting is, as a person sees it. Pure.

import type { Bounds } from "./bounds";

export const settingSections = [
  { id: "general", label: "General" },
  { id: "threads", label: "Threads" },
  { id: "cells", label: "Cells" },
  { id: "sessions", label: "Sessions" },
  { id: "notifications", label: "Notifications" },
  { id: "account", label: "Account" },
  { id: "codex", label: "codex" },
  { id: "config", label: "Configuration" },
  { id: "data", label: "Data" },
] as const;
export type SettingSection = (typeof settingSections)[number]["id"];

export interface Choice {
  value: string;
  label: string;
  description?: string;
}

export type SettingKind =
  | { kind: "switch" }
  /** `few`: all of them are in view. */
  | { kind: "choice"; choices: readonly Choice[]; few?: boolean }
  /** The models, or the efforts of the model that is chosen: what codex offers. */
  | { kind: "models" }
  | { kind: "efforts" }
  /** `unset`: what counts while nothing is set. */
  | ({ kind: "number"; label: string; step: number; unset?: number } & Bounds)
  /** A command that starts the person's editor. */
  | { kind: "editor" }
  /** It has a form of its own in its section. */
  | { kind: "form" };

export interface Setting {
  /** The path of its value in the settings; for a form any name. */
  id: string;
  section: SettingSection;
  /** The heading that it stands under. */
  group?: string;
  title: string;
  /** What it is, and what happens when it is changed. */
  text: string;
  /** Other words that one might look for. */
  keywords: string;
  /** What the desktop must have for it. */
  needs?: "tray" | "openAtLogin";
  kind: SettingKind;
}
