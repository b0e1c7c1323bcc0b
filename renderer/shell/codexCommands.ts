// The commands about codex itself, in the list of all commands.

import type { Layout } from "../../preload/contract/layout";
import { copyDiagnostics } from "../codex/diagnostics/actions";
import { goToCodex } from "../state/navigation";
import type { Command } from "./command";

const tabs: readonly {
  tab: Layout["codexTab"];
  title: string;
  keywords: string;
  shortcuts?: readonly string[];
}[] = [
  { tab: "servers", title: "MCP servers", keywords: "tools resources reconnect" },
  { tab: "skills", title: "Skills", keywords: "SKILL.md enable disable plugins" },
  { tab: "models", title: "Models", keywords: "effort default list gpt" },
  {
    tab: "usage",
    title: "Usage and limits",
    keywords: "rate limit weekly tokens credits plan quota cost spend status",
  },
  {
    tab: "diagnostics",
    title: "Diagnostics",
    keywords: "versions health report debug bug issue memory process problem doctor status",
    shortcuts: ["mod+shift+d"],
  },
];

export const codexCommands: readonly Command[] = [
  {
    id: "codex",
    title: "codex: servers, skills, models, usage",
    group: "codex",
    shortcuts: ["mod+shift+x"],
    keywords: "about mcp limits diagnostics",
    run: () => goToCodex(),
  },
  ...tabs.map(
    ({ tab, title, keywords, shortcuts }): Command => ({
      id: tab === "diagnostics" ? tab : `codex-${tab}`,
      title,
      group: "codex",
      shortcuts,
      keywords: `codex ${keywords}`,
      run: () => goToCodex(tab),
    }),
  ),
  {
    id: "copy-diagnostics",
    title: "Copy diagnostics",
    group: "codex",
    keywords: "report versions bug without secrets",
    run: () => void copyDiagnostics(),
  },
];
