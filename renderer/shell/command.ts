// One thing that can be done from the keyboard.

export type CommandGroup =
  | "Threads"
  | "Changes"
  | "Finding"
  | "Cells"
  | "Environments"
  | "codex"
  | "Terminals"
  | "Workspaces"
  | "Window"
  | "Holdfast";

export interface Command {
  id: string;
  title: string;
  group: CommandGroup;
  /** The first is shown; all of them work. */
  shortcuts?: readonly string[];
  /** Other words that one might look for. */
  keywords?: string;
  /** Its shortcut works over a dialog too. */
  overDialogs?: boolean;
  /** Left out of the palette and inert while this is false. */
  usable?: () => boolean;
  run: () => void;
}
