// What was found in a worktree that is to be removed, and what becomes of it.

import type { WorktreeFacts } from "../../preload/contract";
import { Notice } from "../ui/Notice";
import { counted, countOfWork } from "./work";

const mostNames = 6;

export function Findings({ facts }: { facts: WorktreeFacts }) {
  const { branch, changed, untracked, ignored, unmerged, folder } = facts;
  if (folder !== "there") {
    return (
      <p className="text-pretty">
        {folder === "gone"
          ? "Its folder is not there any more. It is taken off git's list and off this one."
          : "git does not list its folder any more, so that stays where it is. It is only taken off the list."}
      </p>
    );
  }
  const commits = unmerged.first.map(({ sha, subject }) => `${sha.slice(0, 7)} ${subject}`);
  return (
    <>
      {countOfWork(facts) > 0 ? (
        <Notice
          tone="warning"
          title="There is work in it that is nowhere else."
          hint="If you discard it, a snapshot is kept under refs/holdfast/removed, and its name is shown."
        />
      ) : (
        <p>Nothing in it would be lost. The folder is deleted.</p>
      )}
      <Names title={counted(changed.count, "changed file")} count={changed.count} names={changed.first} />
      <Names
        title={counted(untracked.count, "untracked file")}
        count={untracked.count}
        names={untracked.first}
      />
      <Names
        title={`${counted(unmerged.count, "commit")} on no ${branch === null ? "branch" : "other branch"}`}
        count={unmerged.count}
        names={commits}
      />
      <Names
        title={`${counted(ignored.count, "ignored name")}, deleted with it`}
        count={ignored.count}
        names={ignored.first}
      />
      {branch === null ? (
        <p className="text-ink-2">No branch is checked out in it. All branches stay.</p>
      ) : (
        <p className="text-ink-2">
          Its branch <span className="font-mono text-s text-ink selectable">{branch}</span> stays.
        </p>
      )}
    </>
  );
}

interface NamesProps {
  title: string;
  count: number;
  names: readonly string[];
}

export function Names({ title, count, names }: NamesProps) {
  if (count === 0) return null;
  const shown = names.slice(0, mostNames);
  return (
    <section aria-label={title} className="grid gap-1">
      <h3 className="text-s font-medium text-ink">{title}</h3>
      <ul className="grid gap-0.5 rounded-s border border-line bg-canvas px-2 py-1.5 font-mono text-s text-ink-2">
        {shown.map((name) => (
          <li key={name} className="truncate selectable" title={name}>
            {name}
          </li>
        ))}
        {count > shown.length && <li className="font-sans text-ink-3">and {count - shown.length} more</li>}
      </ul>
    </section>
  );
}
