// The branch, the commit or the instructions of a review.

import { useId } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { ageWords, instantWords } from "../state/age";
import { Notice } from "../ui/Notice";
import { Spinner } from "../ui/Spinner";
import { PickList } from "./PickList";
import { otherBranches, type TargetChoice, type Targets } from "./targetChoice";

export interface TargetDetailProps {
  choice: TargetChoice;
  targets: Targets | null;
  /** Why branches and commits could not be listed. */
  fault: FaultView | null;
  onChange: (part: Partial<TargetChoice>) => void;
}

export function TargetDetail({ choice, targets, fault, onChange }: TargetDetailProps) {
  switch (choice.kind) {
    case "uncommittedChanges":
      return null;
    case "custom":
      return (
        <Instructions value={choice.instructions} onChange={(instructions) => onChange({ instructions })} />
      );
    case "baseBranch":
    case "commit":
      if (fault)
        return <Notice tone="warning" title={fault.message} hint={fault.hint} detail={fault.detail} />;
      if (targets === null) {
        return (
          <p role="status" className="flex animate-late items-center gap-2 text-ink-2">
            <Spinner /> Asking git…
          </p>
        );
      }
      return choice.kind === "baseBranch" ? (
        <Branches targets={targets} chosen={choice.branch} onChoose={(branch) => onChange({ branch })} />
      ) : (
        <Commits targets={targets} chosen={choice.sha} onChoose={(sha) => onChange({ sha })} />
      );
    default:
      return choice.kind satisfies never;
  }
}

interface PickProps {
  targets: Targets;
  chosen: string | null;
  onChoose: (id: string) => void;
}

function Branches({ targets, chosen, onChoose }: PickProps) {
  return (
    <PickList
      label="Branch"
      placeholder="Find a branch"
      values={otherBranches(targets)}
      idOf={(branch) => branch}
      wordsOf={(branch) => branch}
      chosen={chosen}
      onChoose={onChoose}
    >
      {(branch) => <span className="min-w-0 truncate font-mono text-s">{branch}</span>}
    </PickList>
  );
}

function Commits({ targets, chosen, onChoose }: PickProps) {
  return (
    <PickList
      label="Commit"
      placeholder="Find a commit"
      values={targets.commits}
      idOf={({ sha }) => sha}
      wordsOf={({ subject }) => subject}
      besideOf={({ sha }) => sha}
      chosen={chosen}
      onChoose={onChoose}
    >
      {({ sha, subject, atMs }) => (
        <>
          <span className="min-w-0 flex-1 truncate">{subject || "No message"}</span>
          <span className="shrink-0 font-mono text-xs text-ink-3">{sha.slice(0, 7)}</span>
          <time
            dateTime={new Date(atMs).toISOString()}
            title={instantWords(atMs)}
            className="w-16 shrink-0 text-right text-xs text-ink-3"
          >
            {ageWords(atMs, Date.now())}
          </time>
        </>
      )}
    </PickList>
  );
}

function Instructions({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-s font-medium text-ink">
        Instructions
      </label>
      <textarea
        id={id}
        value={value}
        maxLength={100_000}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Look at how errors are handled in the importer, and at nothing else."
        className="min-h-28 resize-y rounded-s border border-field-line bg-canvas px-2.5 py-2 text-m text-ink placeholder:text-ink-3"
      />
    </div>
  );
}
