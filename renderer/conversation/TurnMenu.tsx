// What can be done from a turn, at its end and at what the person wrote in it.

import { Copy, Ellipsis, GitFork, Undo2 } from "lucide-react";
import { copyText } from "../state/threadActions";
import { useShownAgent } from "../state/threadKinship";
import { useHead, useTurn } from "../state/threadStore";
import { IconButton } from "../ui/IconButton";
import { MenuButton, MenuItem, MenuSeparator } from "../ui/Menu";
import { editFrom, forkFrom } from "./turnActions";

export interface TurnMenuProps {
  turnId: string;
  /** What "Copy" copies, and what that is called; null: there is nothing to copy. */
  copy: { label: string; what: string; text: () => string } | null;
  /** Whether the person wrote in this turn. */
  hasMessage: boolean;
  className?: string;
}

const icon = { size: 14 } as const;

export function TurnMenu({ turnId, copy, hasMessage, className }: TurnMenuProps) {
  return (
    <MenuButton
      button={<IconButton label="From here" size="s" icon={<Ellipsis size={14} />} className={className} />}
    >
      {copy && (
        <MenuItem icon={<Copy {...icon} />} onSelect={() => void copyText(copy.text(), copy.what)}>
          {copy.label}
        </MenuItem>
      )}
      <FromHere turnId={turnId} hasMessage={hasMessage} />
    </MenuButton>
  );
}

/** Drawn only while the menu is open. */
function FromHere({ turnId, hasMessage }: { turnId: string; hasMessage: boolean }) {
  const isThread = useHead((head) => head.threadId !== null);
  const running = useHead((head) => head.run !== null);
  const waiting = useHead((head) => head.followUps.entries.length > 0);
  const goesOn = useTurn(turnId)?.status === "running";
  const isAgent = useShownAgent() !== null;
  const canCut = useHead((head) => !head.archived && head.residency === "loaded");
  if (!isThread) return null;
  const why = running
    ? "When the turn has ended"
    : waiting
      ? "When no follow-up waits"
      : isAgent
        ? "Not in an agent of another thread"
        : canCut
          ? undefined
          : "This thread can only be read";
  return (
    <>
      <MenuItem
        icon={<GitFork {...icon} />}
        disabled={goesOn}
        description={goesOn ? "When the turn has ended" : undefined}
        onSelect={() => void forkFrom(turnId)}
      >
        Fork from here
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Undo2 {...icon} />}
        disabled={why !== undefined}
        description={why}
        onSelect={() => void editFrom(turnId)}
      >
        {hasMessage ? "Edit and send again from here…" : "Take the conversation back to here…"}
      </MenuItem>
    </>
  );
}
