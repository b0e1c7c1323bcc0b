// The page about codex itself: MCP servers, skills, models, usage and diagnostics. Nothing of it is asked for before its tab is
// in front.

import { Activity, Boxes, Gauge, Plug, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import type { Layout } from "../../preload/contract/layout";
import { PaneHead } from "../shell/PaneHead";
import { openWorkspace } from "../state/navigation";
import { changeLayout, useLayout } from "../state/uiStore";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Tabs } from "../ui/Tabs";
import { DiagnosticsTab } from "./diagnostics/DiagnosticsTab";
import { ModelsTab } from "./models/ModelsTab";
import { ServersTab } from "./servers/ServersTab";
import { type Shown, useShown } from "./shown";
import { SkillsTab } from "./skills/SkillsTab";
import { UsageTab } from "./usage/UsageTab";

const tabIds: readonly Layout["codexTab"][] = ["servers", "skills", "models", "usage", "diagnostics"];

export function CodexPage() {
  const tab = useLayout((layout) => layout.codexTab);
  const shown = useShown();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PaneHead inspector={false}>
        <h1 className="truncate text-l font-semibold tracking-[-0.01em]">codex</h1>
        {shown && (
          <span className="truncate text-s text-ink-3" title={shown.workspace.path}>
            in {shown.workspace.name}
          </span>
        )}
      </PaneHead>
      <div data-pane="codex" className="flex min-h-0 flex-1 flex-col">
        <Tabs
          label="codex"
          isFirstStop
          value={tab}
          onChange={(id) => {
            const codexTab = tabIds.find((each) => each === id);
            if (codexTab !== undefined) changeLayout({ codexTab });
          }}
          tabs={[
            {
              id: "servers",
              label: "MCP servers",
              icon: <Plug size={15} />,
              panel: (
                <OfWorkspace what="The MCP servers" shown={shown}>
                  {(one) => <ServersTab shown={one} />}
                </OfWorkspace>
              ),
            },
            {
              id: "skills",
              label: "Skills",
              icon: <Sparkles size={15} />,
              panel: (
                <OfWorkspace what="The skills" shown={shown}>
                  {(one) => <SkillsTab shown={one} />}
                </OfWorkspace>
              ),
            },
            {
              id: "models",
              label: "Models",
              icon: <Boxes size={15} />,
              panel: (
                <OfWorkspace what="The models" shown={shown}>
                  {(one) => <ModelsTab shown={one} />}
                </OfWorkspace>
              ),
            },
            {
              id: "usage",
              label: "Usage",
              icon: <Gauge size={15} />,
              panel: (
                <ErrorBoundary what="The usage">
                  <UsageTab />
                </ErrorBoundary>
              ),
            },
            {
              id: "diagnostics",
              label: "Diagnostics",
              icon: <Activity size={15} />,
              panel: (
                <ErrorBoundary what="The diagnostics">
                  <DiagnosticsTab />
                </ErrorBoundary>
              ),
            },
          ]}
        />
      </div>
    </div>
  );
}

function OfWorkspace({
  what,
  shown,
  children,
}: {
  what: string;
  shown: Shown | null;
  children: (shown: Shown) => ReactNode;
}) {
  return (
    <ErrorBoundary what={what} resetKey={shown?.workspace.id}>
      {shown === null ? (
        <EmptyState
          title="No workspace is open"
          actions={<Button onClick={() => void openWorkspace()}>Open workspace</Button>}
        >
          What codex offers depends on the folder that it works in.
        </EmptyState>
      ) : shown.workspace.gone ? (
        <EmptyState title="This folder is not there any more">
          codex cannot be asked about a workspace without its folder.
        </EmptyState>
      ) : (
        children(shown)
      )}
    </ErrorBoundary>
  );
}
