// What a key does in the tree of agents. Pure.

export type AgentKey = { do: "move"; to: number } | { do: "open" } | null;

/** `active` is -1 while no agent has the keyboard. */
export function agentKey(levels: readonly number[], active: number, key: string): AgentKey {
  const last = levels.length - 1;
  switch (key) {
    case "ArrowDown":
      return { do: "move", to: Math.min(active + 1, last) };
    case "ArrowUp":
      return { do: "move", to: active === -1 ? last : Math.max(active - 1, 0) };
    case "Home":
      return { do: "move", to: 0 };
    case "End":
      return { do: "move", to: last };
    case "ArrowRight": {
      const goesIn = (levels[active + 1] ?? 0) > (levels[active] ?? 0);
      return goesIn ? { do: "move", to: active + 1 } : null;
    }
    case "ArrowLeft": {
      const level = levels[active] ?? 0;
      for (let at = active - 1; at >= 0; at -= 1)
        if ((levels[at] ?? 0) < level) return { do: "move", to: at };
      return null;
    }
    case "Enter":
    case " ":
      return active === -1 ? null : { do: "open" };
    default:
      return null;
  }
}
