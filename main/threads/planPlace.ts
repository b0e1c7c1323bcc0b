// Where a plan stands in its turn. codex takes a plan out of the message that it came in. While that is streamed, it tells of
// the plan when it comes to it, in the middle of the message; in its record, and where the message came whole, the plan is
// before the message. One place for all: behind what was said around it, where the person decides what becomes of it.

/** The items as codex lists them, with each plan behind the messages that directly follow it. */
export function withPlansInPlace<Item extends { type: string }>(items: readonly Item[]): Item[] {
  const placed: Item[] = [];
  for (const item of items) {
    const at = item.type === "agentMessage" ? beforePlans(placed.map(({ type }) => type)) : placed.length;
    placed.splice(at, 0, item);
  }
  return placed;
}

/** Where something goes that comes after items of these kinds and has its place before the plans at their end. */
export function beforePlans(kinds: readonly string[]): number {
  return kinds.findLastIndex((kind) => kind !== "plan") + 1;
}
