// The field itself: typing, keys, history, mentions, pasted images.

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { useWorkspace } from "../state/appStore";
import { send as sendSignal } from "../state/signals";
import { shownCopy, useHead } from "../state/threadStore";
import { attachFiles } from "./attach";
import type { Draft } from "./draft";
import { changeFieldText } from "./fieldText";
import { actionOf, belongsToInputMethod } from "./keys";
import { MentionList, optionId } from "./MentionList";
import { atNow, promptsOf, stepHistory } from "./promptHistory";
import { insertText, useMention } from "./useMention";

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
}

export function MessageField({
  field,
  draft,
  text,
  placeholder,
  enterSends,
  describedBy,
  onSend,
  onSteer,
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
    if (mention.press(event)) {
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
      if (stepBack(event.key === "ArrowUp" ? 1 : -1)) event.preventDefault();
    } else if (bare && event.key === "Escape") {
      event.preventDefault();
      sendSignal("focus-conversation");
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
      <MentionList mention={mention} listId={listId} />
      <textarea
        ref={field}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={mention.open ? listId : undefined}
        aria-activedescendant={
          mention.open && mention.found?.files.length ? optionId(listId, mention.active) : undefined
        }
        aria-describedby={describedBy}
        data-pane-stop
        rows={1}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          draft.edit(event.target.value);
          mention.typed();
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
          draft.flush();
        }}
        className="block field-sizing-content max-h-[40vh] mb-2 min-h-[39px] w-full resize-none overflow-y-auto bg-transparent px-3.5 pt-3 pb-1 text-l outline-none focus-visible:outline-none"
      />
    </div>
  );
}

/** What the person has said in the thread that is shown. */
function promptsHere(): string[] {
  const copy = shownCopy();
  if (!copy) return [];
  const said = copy.order.flatMap((id) => {
    const item = copy.byId[id];
    return item?.kind === "user" ? [item.text] : [];
  });
  return promptsOf([...said, ...copy.head.submissions.map((submission) => submission.text)]);
}

function fullPath(folder: string | undefined, path: string): string {
  if (folder === undefined || /^([/\\]|[a-z]:)/i.test(path)) return path;
  const separator = folder.includes("\\") && !folder.includes("/") ? "\\" : "/";
  return `${folder}${separator}${path}`;
}
