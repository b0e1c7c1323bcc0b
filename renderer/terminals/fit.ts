// How many characters fit into a box. Pure.

import type { TerminalRow } from "../../preload/contract/terminals";

export type TerminalSize = Pick<TerminalRow, "columns" | "rows">;

export interface Room {
  widthPx: number;
  heightPx: number;
}

const least: TerminalSize = { columns: 20, rows: 4 };
const most: TerminalSize = { columns: 500, rows: 300 };

/** Null: the box or a character is not drawn. */
export function fitted(room: Room, character: Room): TerminalSize | null {
  if (room.widthPx <= 0 || room.heightPx <= 0 || character.widthPx <= 0 || character.heightPx <= 0)
    return null;
  const count = (roomPx: number, onePx: number, from: number, to: number) =>
    Math.max(from, Math.min(to, Math.floor(roomPx / onePx)));
  return {
    columns: count(room.widthPx, character.widthPx, least.columns, most.columns),
    rows: count(room.heightPx, character.heightPx, least.rows, most.rows),
  };
}

/** That of the screen that was drawn last: a new terminal is begun with it. */
let lastSize: TerminalSize | null = null;

export function rememberSize(size: TerminalSize): void {
  lastSize = size;
}

export function rememberedSize(): TerminalSize | undefined {
  return lastSize ?? undefined;
}
