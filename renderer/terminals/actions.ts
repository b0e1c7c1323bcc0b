// What can be done with terminals, from a button or a key. Each says what went wrong; none throws.

import type { TerminalPlace, TerminalRow } from "../../preload/contract/terminals";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { changeLayout, uiStore } from "../state/uiStore";
import { rememberedSize } from "./fit";
import { giveKeyboard } from "./keyboard";
import { isOver } from "./terminalWords";

export function showTerminal(place: TerminalPlace, terminalId: string): void {
  const { environments, terminals } = uiStore.getState().layout;
  if (place.kind === "workspace") changeLayout({ terminals: { ...terminals, terminalId } });
  else changeLayout({ environments: { ...environments, terminalId } });
}

/** Resolves with its id when it was taken: it is listed then, whatever becomes of it. Null: it was not. */
export async function openTerminal(
  place: TerminalPlace,
  what: { command: string | null; cwd: string | null },
): Promise<string | null> {
  // Where a size can be changed it is right from the start.
  const size = place.kind === "workspace" ? rememberedSize() : undefined;
  const opened = await attempt(call("terminals.open", { place, ...what, size }));
  if (opened === undefined) return null;
  showTerminal(place, opened.terminalId);
  giveKeyboard(opened.terminalId);
  return opened.terminalId;
}

export async function interruptTerminal(terminalId: string): Promise<void> {
  await attempt(call("terminals.interrupt", { terminalId }));
  giveKeyboard(terminalId);
}

export async function endTerminal(terminalId: string): Promise<void> {
  await attempt(call("terminals.end", { terminalId }));
}

/** Resolves with whether it is off the list. */
export async function closeTerminal(row: TerminalRow, name: string): Promise<boolean> {
  if (!isOver(row)) {
    const sure = await askFirst({
      title: "Close this terminal?",
      text: `"${name}" still runs. It is ended with all that it has started.`,
      confirmLabel: "End and close",
      tone: "danger",
    });
    if (!sure) return false;
  }
  return (await attempt(call("terminals.close", { terminalId: row.terminalId }))) !== undefined;
}

export async function renameTerminal(terminalId: string, name: string): Promise<void> {
  await attempt(call("terminals.rename", { terminalId, name: name.trim().slice(0, 200) }));
}

/** `isPlain`: the person has seen where it leads. */
export async function openTerminalLink(url: string, isPlain: boolean): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) return;
  // As it is sent: no letter of another script looks like one of ours then, and nothing turns the line around.
  const { href } = parsed;
  const sure =
    isPlain ||
    (await askFirst({
      title: "Open this link?",
      text: `A program in the terminal says that this is where its link leads: ${href}`,
      confirmLabel: "Open",
      tone: "default",
    }));
  if (sure) await attempt(call("shell.openLink", { url: href }));
}
