import { Ellipsis, FlaskConical, GitBranch, Workflow } from "lucide-react";
import { useShownModel } from "../composer/shownModel";
import { ThreadMenu } from "../sidebar/menus";
import { RenameField } from "../sidebar/RenameField";
import { useApp, useThreadRow, useWorkspace } from "../state/appStore";
import { isForkTitle } from "../state/forks";
import { goToRun } from "../state/navigation";
import { renameThread } from "../state/threadActions";
import { useHead } from "../state/threadStore";
import { startRenaming, uiStore } from "../state/uiStore";
import { approvalWords, branchOf, sandboxWords, shortPath } from "../state/words";
import { PlaceChip } from "../threadPlace/PlaceChip";
import { Chip } from "../ui/Chip";
import { cx } from "../ui/cx";
import { ForkMark } from "../ui/ForkMark";
import { Hint } from "../ui/Hint";
import { IconButton } from "../ui/IconButton";
import { MenuButton } from "../ui/Menu";
import { TitleText } from "../ui/TitleText";
import { ForkedFrom } from "./ForkedFrom";
import { PaneHead } from "./PaneHead";
import { ParentLinks } from "./ParentLinks";

/** What is shown, where it runs, and how it is set. The composer is where the settings are changed. */
export function ThreadHeader() {
  const threadKey = useHead((head) => head.key);
  const threadId = useHead((head) => head.threadId);
  const isFork = useThreadRow(threadId)?.forkedFromId !== undefined;
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
      <ParentLinks />
      {!renaming && (isFork || isForkTitle(title)) && <ForkMark size={15} />}
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
          className="flex min-w-0 shrink text-l font-semibold tracking-[-0.01em]"
        >
          <TitleText title={title || "New thread"} />
        </h1>
      )}
      <ForkedFrom />
      <WorkspaceChip workspaceId={workspaceId} />
      <PlaceChip />
      <StartedBy />
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
          {/* A worktree is named after its branch. */}
          {branch !== null && branch !== workspace.name && (
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

/** Nothing for a thread that a person has started. */
function StartedBy() {
  const run = useHead((head) => head.startedByRun);
  if (!run) return null;
  return (
    <Hint text={`Started by the script ${run.scriptName}`}>
      <button
        type="button"
        aria-label={`Started by the script ${run.scriptName}. Show the run`}
        onClick={() => goToRun(run.runId)}
        className="flex h-[22px] min-w-8 max-w-60 shrink-[4] items-center gap-1 rounded-full border border-line px-2 text-s text-ink-2 transition-colors hover:border-line-strong hover:text-ink"
      >
        <Workflow aria-hidden size={12} className="shrink-0" />
        <span className="truncate">{run.scriptName}</span>
      </button>
    </Hint>
  );
}

function SettingsChips() {
  const isElsewhere = useHead((head) => head.environment !== null);
  const settings = useHead((head) => head.settings);
  const { words: model, id } = useShownModel();
  const isKnown = settings.model !== null || settings.effort !== null;
  const access = [
    settings.sandbox && sandboxWords[settings.sandbox],
    settings.approvalPolicy && approvalWords[settings.approvalPolicy],
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    // Where it runs is more to the point here; the composer shows these too.
    <span className={cx("hidden shrink-0 gap-2", isElsewhere ? "@4xl:flex" : "@2xl:flex")}>
      {isKnown && (
        <Chip aria-label={`Model ${model}`} title={id ?? undefined}>
          {model}
        </Chip>
      )}
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
