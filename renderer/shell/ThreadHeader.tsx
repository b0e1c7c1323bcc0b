import { Ellipsis, FlaskConical, GitBranch } from "lucide-react";
import { ThreadMenu } from "../sidebar/menus";
import { RenameField } from "../sidebar/RenameField";
import { useApp, useWorkspace } from "../state/appStore";
import { renameThread } from "../state/threadActions";
import { useHead } from "../state/threadStore";
import { startRenaming, uiStore } from "../state/uiStore";
import { approvalWords, branchOf, sandboxWords, shortPath } from "../state/words";
import { Chip } from "../ui/Chip";
import { Hint } from "../ui/Hint";
import { IconButton } from "../ui/IconButton";
import { MenuButton } from "../ui/Menu";
import { PaneHead } from "./PaneHead";

/** What is shown, where it runs, and how it is set. The composer is where the settings are changed. */
export function ThreadHeader() {
  const threadKey = useHead((head) => head.key);
  const threadId = useHead((head) => head.threadId);
  const title = useHead((head) => head.title);
  const workspaceId = useHead((head) => head.workspaceId);
  const demo = useHead((head) => head.demo);
  const archived = useHead((head) => head.archived);
  const renaming = uiStore(
    (store) =>
      store.renaming?.what === "thread" &&
      store.renaming.where === "head" &&
      (store.renaming.threadKey === threadKey || store.renaming.threadKey === threadId),
  );
  const rename = () => threadId !== null && startRenaming({ what: "thread", threadKey, where: "head" });
  return (
    <PaneHead>
      {renaming ? (
        <RenameField
          label="Rename thread"
          name={title}
          onRename={(name) => void renameThread(threadKey, name)}
          onDone={() => startRenaming(null)}
          className="max-w-120 text-l font-semibold"
        />
      ) : (
        <h1
          onDoubleClick={rename}
          title={title}
          className="min-w-0 shrink truncate text-l font-semibold tracking-[-0.01em]"
        >
          {title}
        </h1>
      )}
      <WorkspaceChip workspaceId={workspaceId} />
      {demo && (
        <Chip tone="accent" icon={<FlaskConical aria-hidden size={12} />} className="shrink-0">
          Demo
        </Chip>
      )}
      {archived && <Chip className="shrink-0">archived</Chip>}
      <span className="flex-1" />
      <SettingsChips />
      {threadId !== null && (
        <MenuButton
          align="end"
          button={<IconButton label="More about this thread" icon={<Ellipsis size={16} />} />}
        >
          <ThreadMenu threadId={threadId} where="head" />
        </MenuButton>
      )}
    </PaneHead>
  );
}

function WorkspaceChip({ workspaceId }: { workspaceId: string }) {
  const workspace = useWorkspace(workspaceId);
  const home = useApp((app) => app.home);
  // The demo's workspace has no name of its own: its label says it all.
  if (!workspace || workspace.demo) return null;
  const branch = branchOf(workspace);
  return (
    <Hint text={<span className="font-mono text-xs">{shortPath(workspace.path, home)}</span>}>
      <Chip mono tabIndex={-1} className="min-w-14 max-w-80 shrink-[3]">
        <span className="inline-flex max-w-full items-center gap-1.5">
          <span className="max-w-full shrink-0 truncate">{workspace.name}</span>
          {branch !== null && (
            <span className="hidden min-w-0 items-center gap-1.5 @lg:flex">
              <GitBranch aria-label="on branch" size={11} className="shrink-0 text-ink-3" />
              <span className="truncate">{branch}</span>
            </span>
          )}
        </span>
      </Chip>
    </Hint>
  );
}

function SettingsChips() {
  const settings = useHead((head) => head.settings);
  const model = [settings.model, settings.effort].filter((each) => each !== null).join(" · ");
  const access = [
    settings.sandbox && sandboxWords[settings.sandbox],
    settings.approvalPolicy && approvalWords[settings.approvalPolicy],
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <span className="hidden shrink-0 gap-2 @2xl:flex">
      {model !== "" && <Chip aria-label={`Model ${model}`}>{model}</Chip>}
      {access !== "" && (
        <Chip
          aria-label={`Sandbox and approvals: ${access}`}
          tone={settings.sandbox === "danger-full-access" ? "warn" : "plain"}
        >
          {access}
        </Chip>
      )}
    </span>
  );
}
