// A field in which a message is written: typing, keys, history, mentions, pasted images. The composer has one, and so has
// each follow-up that is edited.

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { useWorkspace } from "../state/appStore";
import { send as sendSignal } from "../state/signals";
import { shownCopy, useHead } from "../state/threadStore";
import { cx } from "../ui/cx";
import { attachFiles } from "./attach";
import type { Draft } from "./draft";
import { changeFieldText } from "./fieldText";
import { actionOf, belongsToInputMethod } from "./keys";
import { MentionList, optionId } from "./MentionList";
import { atNow, promptsOf, saidByPerson, stepHistory } from "./promptHistory";
import { SlashList } from "./SlashList";
import type { EscapeStops } from "./useEscapeStops";
import { insertText, useMention } from "./useMention";
import { useSlash } from "./useSlash";

export interface MessageFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: Draft;
  text: string;
  placeholder: string;
  enterSends: boolean;
  describedBy: string | undefined;
  /** Enter, or what stands for it. */
  onSend: () => void;
  onSteer: () => void;
  label?: string;
  /** Nothing can be typed at the moment. */
  readOnly?: boolean;
  /** What it looks like, where it is not the composer's. */
  className?: string;
  /** Where the list of files opens; above, it covers what was said and never what is being written. */
  filesSide?: "above" | "below";
  /** What Escape does, where it does not lead to the conversation. Then the arrows bring nothing back either. */
  onEscape?: () => void;
  /** Hears Escape before it leads anywhere. */
  escapeStops?: EscapeStops;
}

const composerLook =
  "mb-2 min-h-[39px] max-h-[40vh] px-3.5 pt-3 pb-1 text-l outline-none focus-visible:outline-none";

export function MessageField({
  field,
  draft,
  text,
  placeholder,
  enterSends,
  describedBy,
  onSend,
  onSteer,
  label = "Message",
  readOnly = false,
  className = composerLook,
  filesSide = "above",
  onEscape,
  escapeStops,
}: MessageFieldProps) {
  const workspaceId = useHead((head) => head.workspaceId);
  const folder = useWorkspace(workspaceId)?.path;
  const history = useRef(atNow);
  const compositionEndedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const listId = useId();
  const mention = useMention({
    field,
    workspaceId,
    onChosen({ path }) {
      draft.attach([{ kind: "mention", path: fullPath(folder, path), name: path }]);
    },
  });

  const slash = useSlash(field, onEscape === undefined);
  const slashId = useId();
  const isSlash = slash.found.length > 0;

  useEffect(() => {
    const end = draft.onArrival((arrived) => field.current && changeFieldText(field.current, arrived));
    return () => {
      end();
      draft.setComposing(false);
    };
  }, [draft, field]);

  const stepBack = (by: 1 | -1): boolean => {
    const step = stepHistory(history.current, draft.view.text, promptsHere(), by);
    if (!step) return false;
    history.current = step;
    flushSync(() => draft.edit(step.shown));
    field.current?.setSelectionRange(step.shown.length, step.shown.length);
    return true;
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { nativeEvent } = event;
    if (belongsToInputMethod(nativeEvent, compositionEndedAtMs.current)) return;
    if (mention.press(event) || slash.press(event)) {
      event.preventDefault();
      return;
    }
    const action = actionOf(nativeEvent, enterSends);
    if (action !== null) {
      event.preventDefault();
      if (action === "steer") onSteer();
      else if (action === "send") onSend();
      return;
    }
    const bare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (bare && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (onEscape === undefined && stepBack(event.key === "ArrowUp" ? 1 : -1)) event.preventDefault();
    } else if (bare && event.key === "Escape") {
      event.preventDefault();
      if (escapeStops?.press(nativeEvent)) return;
      if (onEscape) onEscape();
      else sendSignal("focus-conversation");
    }
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const files = [...event.clipboardData.files];
    // A table or a page brings a picture of itself along: where there is text, the text is meant.
    if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    attachFiles(draft, files, (written) => field.current && insertText(field.current, written));
  };
  return (
    <div>
      <SlashList slash={slash} listId={slashId} />
      <MentionList mention={mention} listId={listId} side={filesSide} />
      <textarea
        ref={field}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={mention.open ? listId : isSlash ? slashId : undefined}
        aria-activedescendant={
          mention.open && mention.found?.files.length
            ? optionId(listId, mention.active)
            : isSlash
              ? optionId(slashId, slash.active)
              : undefined
        }
        aria-describedby={describedBy}
        data-pane-stop={onEscape === undefined || undefined}
        readOnly={readOnly}
        rows={1}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          draft.edit(event.target.value);
          mention.typed();
          slash.typed();
        }}
        onSelect={mention.caretMoved}
        onCompositionStart={() => draft.setComposing(true)}
        onCompositionEnd={(event) => {
          compositionEndedAtMs.current = event.timeStamp;
          draft.setComposing(false);
        }}
        onKeyDown={press}
        onPaste={paste}
        onBlur={() => {
          mention.close();
          slash.close();
          draft.flush();
          escapeStops?.left();
        }}
        className={cx(
          "block w-full resize-none field-sizing-content overflow-y-auto bg-transparent",
          className,
        )}
      />
    </div>
  );
}

/** What the person has said in the thread that is shown. */
function promptsHere(): string[] {
  const copy = shownCopy();
  return copy === null ? [] : promptsOf(saidByPerson(copy));
}

function fullPath(folder: string | undefined, path: string): string {
  if (folder === undefined || /^([/\\]|[a-z]:)/i.test(path)) return path;
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return `${folder}${separator}${path}`;
}
