// Every setting there is, once: the rows of the dialog, its search, the entries of the palette and "Reset to default" are
// made of this list. Pure.

import { settingTitles, textSizes } from "../../preload/contract/settings";
import { approvalWords, sandboxWords } from "../state/words";
import { keyText } from "../ui/keys";
import { attentionSettings } from "./attentionCatalog";
import { type Setting, type SettingSection, settingSections } from "./setting";

/** The choice that leaves it to codex. */
export const leftToCodex = "";

const title = (id: string) => settingTitles[id] ?? id;

const minutes = { least: 0, most: 24 * 60, digits: 3, unit: "minutes" };
const newThread = "What a new thread starts with";

export const settings: readonly Setting[] = [
  {
    id: "theme",
    section: "general",
    group: "Looks",
    title: title("theme"),
    text: "Light, dark, or whichever the system uses. All windows change at once.",
    keywords: "appearance colours dark light mode",
    kind: {
      kind: "choice",
      few: true,
      choices: [
        { value: "system", label: "System" },
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
      ],
    },
  },
  {
    id: "textSize",
    section: "general",
    group: "Looks",
    title: title("textSize"),
    text: `The size of everything in all windows, at once. ${keyText("mod")} with + and - changes it from anywhere, with 0 it is 100 % again.`,
    keywords: "zoom font bigger larger smaller scale percent",
    kind: { kind: "number", label: "Text size in percent", unit: "%", ...textSizes },
  },
  {
    id: "density",
    section: "general",
    group: "Looks",
    title: title("density"),
    text: "Compact makes rows, heads and controls lower, so that more of a list is in view.",
    keywords: "compact comfortable spacing rows height",
    kind: {
      kind: "choice",
      few: true,
      choices: [
        { value: "comfortable", label: "Comfortable" },
        { value: "compact", label: "Compact" },
      ],
    },
  },
  {
    id: "motion",
    section: "general",
    group: "Looks",
    title: title("motion"),
    text: "Reduced: nothing fades, turns or slides, whatever the system says.",
    keywords: "animation reduce transitions accessibility",
    kind: {
      kind: "choice",
      few: true,
      choices: [
        { value: "system", label: "As the system" },
        { value: "reduced", label: "Reduced" },
      ],
    },
  },
  {
    id: "enterSends",
    section: "general",
    group: "Keyboard and closing",
    title: title("enterSends"),
    text: `Off: Enter starts a new line, and ${keyText("mod+enter")} sends.`,
    keywords: "keyboard message composer newline return",
    kind: { kind: "switch" },
  },
  {
    id: "quitting",
    section: "general",
    group: "Keyboard and closing",
    title: title("quitting"),
    text: "What happens to turns that run. Scripts, terminals and whatever else would be cut off are asked about all the same.",
    keywords: "confirm before closing quit exit keep running stop ask",
    kind: {
      kind: "choice",
      choices: [
        { value: "ask", label: "Ask" },
        { value: "keep", label: "Keep them running", description: "The next start finds them again" },
        { value: "stop", label: "Stop them", description: "As far as they have come is kept" },
      ],
    },
  },
  {
    id: "editor",
    section: "general",
    group: "Files",
    title: title("editor"),
    text: "The command that starts it: a program on your PATH, or its whole path, and its arguments, as in “code --reuse-window” or “/usr/bin/gvim”. What has spaces goes in quotes. The file comes at the end, with the line where the editor takes one; no shell runs. Empty: none.",
    keywords: "ide open in code vscode cursor zed idea intellij sublime external program",
    kind: { kind: "editor" },
  },
  {
    id: "newThread.model",
    section: "threads",
    group: newThread,
    title: title("newThread.model"),
    text: "For threads that are made from now on; the menu below a message changes it for one thread.",
    keywords: "gpt llm new thread",
    kind: { kind: "models" },
  },
  {
    id: "newThread.effort",
    section: "threads",
    group: newThread,
    title: title("newThread.effort"),
    text: "How long the model thinks before it answers. Which ones there are depends on the model.",
    keywords: "thinking low medium high new thread",
    kind: { kind: "efforts" },
  },
  {
    id: "newThread.sandbox",
    section: "threads",
    group: newThread,
    title: title("newThread.sandbox"),
    text: "What commands may reach without asking, in threads that are made from now on.",
    keywords: "permissions read-only write full access network yolo danger dangerous bypass skip new thread",
    kind: {
      kind: "choice",
      choices: [
        { value: leftToCodex, label: "codex's default" },
        {
          value: "read-only",
          label: sandboxWords["read-only"],
          description: "Reads everything, changes nothing",
        },
        {
          value: "workspace-write",
          label: sandboxWords["workspace-write"],
          description: "Writes in the workspace, no network",
        },
        {
          value: "danger-full-access",
          label: sandboxWords["danger-full-access"],
          description: "Everything that you may do, without a sandbox",
        },
      ],
    },
  },
  {
    id: "newThread.approvalPolicy",
    section: "threads",
    group: newThread,
    title: title("newThread.approvalPolicy"),
    text: "When codex asks before it runs something, in threads that are made from now on.",
    keywords:
      "approve ask permission permissions never untrusted on-request yolo auto accept skip new thread",
    kind: {
      kind: "choice",
      choices: [
        { value: leftToCodex, label: "codex's default" },
        {
          value: "untrusted",
          label: approvalWords.untrusted,
          description: "Asks before all but harmless commands",
        },
        {
          value: "on-request",
          label: approvalWords["on-request"],
          description: "Asks when it wants out of the sandbox",
        },
        { value: "never", label: approvalWords.never, description: "What the sandbox forbids fails" },
      ],
    },
  },
  {
    id: "threadUnloadMinutes",
    section: "threads",
    group: "What is not used",
    title: title("threadUnloadMinutes"),
    text: "A thread that nobody shows and that does nothing. It is loaded again when it is opened. Takes effect when codex is started next. Until it is changed here, thread_unload_delay_secs in codex's config.toml counts.",
    keywords: "memory idle close",
    kind: {
      kind: "number",
      label: "Minutes until an idle thread is unloaded",
      step: 5,
      // What codex does when neither Holdfast nor its own configuration says anything.
      unset: 30,
      ...minutes,
    },
  },
  {
    id: "sessionIdleMinutes",
    section: "sessions",
    title: title("sessionIdleMinutes"),
    text: "A codex whose threads are all unloaded and that nobody shows. It comes back by itself when it is needed; its threads stay in the list. 0: never. Counts at once.",
    keywords: "idle codex process memory release",
    kind: { kind: "number", label: "Minutes until an unused session is closed", step: 5, ...minutes },
  },
  {
    id: "unattendedMinutes",
    section: "sessions",
    title: title("unattendedMinutes"),
    text: "So that a crash leaves no process behind for good; also when what runs was kept at quitting. A turn that runs is finished first; a command that an agent has left running ends with codex. Counts at once.",
    keywords: "watchdog crash orphan process keep running",
    kind: {
      kind: "number",
      label: "Minutes until codex is ended after Holdfast has died",
      step: 1,
      ...minutes,
    },
  },
  ...attentionSettings,
  {
    id: "cellLimits.memoryMiB",
    section: "cells",
    title: title("cellLimits.memoryMiB"),
    text: "Everything that the script holds, about 17 MiB of which are there before it begins.",
    keywords: "script limit ram",
    kind: {
      kind: "number",
      label: "Memory of a cell in MiB",
      least: 24,
      most: 1_024,
      step: 16,
      unit: "MiB",
    },
  },
  {
    id: "cellLimits.runTimeSeconds",
    section: "cells",
    title: title("cellLimits.runTimeSeconds"),
    text: "How long the script itself may compute. Waiting for a turn, a timer or an answer does not count.",
    keywords: "script limit timeout cpu seconds",
    kind: {
      kind: "number",
      label: "Run time of a cell in seconds",
      least: 0.1,
      most: 3_600,
      digits: 1,
      step: 5,
      unit: "seconds",
    },
  },
  {
    id: "cellLimits.outputMiB",
    section: "cells",
    title: title("cellLimits.outputMiB"),
    text: "All text and images that one run may write.",
    keywords: "script limit text images size",
    kind: {
      kind: "number",
      label: "Output of a cell in MiB",
      least: 0.1,
      most: 64,
      digits: 1,
      step: 1,
      unit: "MiB",
    },
  },
  {
    id: "cellLimits.pendingCalls",
    section: "cells",
    title: title("cellLimits.pendingCalls"),
    text: "How much one run may have asked for that is not answered yet.",
    keywords: "script limit parallel tools verbs",
    kind: {
      kind: "number",
      label: "Pending calls of a cell",
      least: 1,
      most: 1_000,
      step: 8,
      unit: "calls",
    },
  },
  {
    id: "cellLimits.cells",
    section: "cells",
    title: title("cellLimits.cells"),
    text: "How many scripts may run at the same time in one workspace. One more is refused.",
    keywords: "script limit parallel runs",
    kind: { kind: "number", label: "Cells at a time", least: 1, most: 64, step: 1, unit: "cells" },
  },
  {
    id: "account",
    section: "account",
    title: "Account",
    text: "Signing in to codex and out again, with ChatGPT or an API key.",
    keywords: "sign in login logout api key chatgpt plan",
    kind: { kind: "form" },
  },
  {
    id: "localModel",
    section: "account",
    title: title("localModel"),
    text: "Ollama or LM Studio instead of the account's models, in sessions that start from now on.",
    keywords: "ollama lm studio offline local",
    kind: { kind: "form" },
  },
  {
    id: "codexPath",
    section: "codex",
    title: title("codexPath"),
    text: "Which codex is started. A path is checked before it is taken.",
    keywords: "binary path version executable install",
    kind: { kind: "form" },
  },
  {
    id: "codexConfig",
    section: "config",
    title: "codex's configuration",
    text: "Every value of codex's config.toml as it counts, where it comes from, and changes of single keys.",
    keywords: "config.toml mcp servers model provider features profiles hooks notify history web search",
    kind: { kind: "form" },
  },
  {
    id: "folders",
    section: "data",
    title: "Folders",
    text: "Where Holdfast and codex keep things, to be opened in the file manager.",
    keywords: "data home logs database ledger open folder",
    kind: { kind: "form" },
  },
  {
    id: "resetAll",
    section: "data",
    title: "Reset all settings to default",
    text: "Everything in this dialog that is Holdfast's own; the account and codex's configuration stay as they are.",
    keywords: "restore defaults factory",
    kind: { kind: "form" },
  },
];

const labels = new Map<string, string>(settingSections.map(({ id, label }) => [id, label]));

export function sectionLabel(section: SettingSection): string {
  return labels.get(section) ?? section;
}
