// What one cell may use. A limit that is reached ends that cell, and the error says which one it was and how to raise it.

import { Fault } from "../../fault";

export interface CellLimits {
  /** All memory of the script's world, which takes about 17 MiB before the script begins. */
  memoryBytes: number;
  /** How long the script itself may run. Waiting (for a tool, a timer) does not count. */
  runTimeMs: number;
  /** Text and images over the whole life of the cell. */
  outputBytes: number;
  /** Calls and notifications that were not answered yet. */
  pendingCalls: number;
  /** Cells that live at the same time. */
  cells: number;
}

export type LimitName = keyof CellLimits;

export const defaultLimits: CellLimits = {
  memoryBytes: 64 * 1024 * 1024,
  runTimeMs: 30_000,
  outputBytes: 8 * 1024 * 1024,
  pendingCalls: 64,
  cells: 8,
};

/** What a person may set. Below the least nothing runs; above the most one cell could take the machine down. */
export const limitBounds: Record<LimitName, { least: number; most: number }> = {
  memoryBytes: { least: 24 * 1024 * 1024, most: 1024 * 1024 * 1024 },
  runTimeMs: { least: 100, most: 60 * 60_000 },
  outputBytes: { least: 4 * 1024, most: 64 * 1024 * 1024 },
  pendingCalls: { least: 1, most: 1_000 },
  cells: { least: 1, most: 64 },
};

/** Fixed, since no script in its right mind comes near them. */
export const scriptBytes = 1024 * 1024;
/** One value that crosses: the arguments of a call, its result, a stored value. */
export const valueBytes = 4 * 1024 * 1024;
/** All stored values of a session. */
export const storedBytes = 8 * 1024 * 1024;
/** What one of them costs beside its key and its text: all are read when a cell begins, so there cannot be very many. */
const storedItemBytes = 1024;
export const timersAtOnce = 1_000;
/** What an item of the output costs beside its text, so that very many empty ones come to an end too. */
export const itemBytes = 256;

/** How much of `storedBytes` a stored value takes. */
export function storedSize(key: string, value: string): number {
  return key.length + value.length + storedItemBytes;
}

/** Throws Fault `bad_limit` for one that is no number or out of bounds. */
export function checkedLimits(limits: CellLimits): CellLimits {
  for (const name of Object.keys(limitBounds) as LimitName[]) {
    const value = limits[name];
    const { least, most } = limitBounds[name];
    if (!Number.isFinite(value) || value < least || value > most) {
      throw new Fault(
        "bad_limit",
        `${labels[name]} must be between ${shown(name, least)} and ${shown(name, most)}.`,
      );
    }
  }
  return limits;
}

const labels: Record<LimitName, string> = {
  memoryBytes: "Memory of a cell",
  runTimeMs: "Run time of a cell",
  outputBytes: "Output of a cell",
  pendingCalls: "Pending calls of a cell",
  cells: "Cells at a time",
};

const reached: Record<LimitName, string> = {
  memoryBytes: "The script needs more memory than a cell may use",
  runTimeMs: "The script has run longer than a cell may run",
  outputBytes: "The script writes more than a cell may write",
  pendingCalls: "The script waits for more calls than a cell may have pending",
  cells: "As many scripts run as may run at a time",
};

/** For people: which limit, how high it is, and how to raise it. */
export function limitText(name: LimitName, limits: CellLimits): string {
  const counted = name === "outputBytes" ? `, where each item counts ${itemBytes} bytes beside its text` : "";
  return `${reached[name]} (${shown(name, limits[name])}${counted}). The limit is “${labels[name]}” in the settings, where it can be raised.`;
}

function shown(name: LimitName, value: number): string {
  switch (name) {
    case "memoryBytes":
    case "outputBytes":
      return value >= 1024 * 1024 ? `${rounded(value / (1024 * 1024))} MiB` : `${rounded(value / 1024)} KiB`;
    case "runTimeMs":
      return `${rounded(value / 1000)} s`;
    case "pendingCalls":
    case "cells":
      return String(value);
    default:
      return name satisfies never;
  }
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
