import type { ConnectionState } from "./environmentState";

/** So that nobody is told twice of the same. */
export function sameConnectionState(a: ConnectionState, b: ConnectionState): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const [left, right] = [a, b] as unknown as [Record<string, unknown>, Record<string, unknown>];
  return [...keys].every((key) => left[key] === right[key]);
}
