// One environment in full, a matter on each tab. Which one is in front is the window's, not the environment's: going
// through the list shows the same matter of each.

import { FolderTree, Info, SquareTerminal } from "lucide-react";
import type { EnvironmentView } from "../../preload/contract/environments";
import { isInEnvironment } from "../../preload/contract/terminals";
import { useApp } from "../state/appStore";
import { useLayout } from "../state/uiStore";
import { EnvironmentTerminals } from "../terminals/EnvironmentTerminals";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { Tabs } from "../ui/Tabs";
import { showTab } from "./actions";
import { FilesTab } from "./files/FilesTab";
import { Overview } from "./overview/Overview";

const tabIds = ["overview", "files", "terminal"] as const;

export function EnvironmentTabs({ environment }: { environment: EnvironmentView }) {
  const { environmentId } = environment;
  const tab = useLayout((layout) => layout.environments.tab);
  const terminals = useApp(
    (app) =>
      app.terminals.filter((row) => isInEnvironment(row, environmentId) && row.state === "running").length,
  );
  return (
    <Tabs
      label="Environment"
      value={tab}
      onChange={(id) => {
        const chosen = tabIds.find((each) => each === id);
        if (chosen !== undefined) showTab(chosen);
      }}
      tabs={[
        {
          id: "overview",
          label: "Overview",
          icon: <Info size={15} />,
          panel: (
            <ErrorBoundary what="The overview" resetKey={environmentId}>
              <Overview environment={environment} />
            </ErrorBoundary>
          ),
        },
        {
          id: "files",
          label: "Files",
          icon: <FolderTree size={15} />,
          panel: (
            <ErrorBoundary what="The list of files" resetKey={environmentId}>
              <FilesTab environment={environment} />
            </ErrorBoundary>
          ),
        },
        {
          id: "terminal",
          label: "Terminal",
          icon: <SquareTerminal size={15} />,
          count: terminals,
          panel: (
            <ErrorBoundary what="The terminals" resetKey={environmentId}>
              <EnvironmentTerminals environmentId={environmentId} />
            </ErrorBoundary>
          ),
        },
      ]}
    />
  );
}
