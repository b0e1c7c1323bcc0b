// Below the difference: how many comments wait to be sent, all of them in a list, and the buttons that send them.

import { ChevronUp, CornerDownRight, ListEnd, MessageSquareText, Send } from "lucide-react";
import { useId, useRef } from "react";
import { useBlocked } from "../../composer/useBlocked";
import { useToldHeight } from "../../composer/useToldHeight";
import { count } from "../../conversation/time/durations";
import { threadStore, useHead } from "../../state/threadStore";
import { Button } from "../../ui/Button";
import { cx } from "../../ui/cx";
import { Hint } from "../../ui/Hint";
import { CommentCard } from "./CommentCard";
import { commentsStore, sendComments, useComments } from "./comments";

export interface CommentsStripProps {
  onShow: (path: string) => void;
  /** Nothing is below it in the window: what floats there keeps clear of its buttons. */
  isLast?: boolean;
}

export function CommentsStrip(props: CommentsStripProps) {
  const comments = useComments();
  const hasThread = threadStore(({ shown }) => shown.phase === "shown");
  return comments.length === 0 || !hasThread ? null : <Strip {...props} comments={comments} />;
}

const nothing = { current: null };

function Strip({
  onShow,
  isLast = false,
  comments,
}: CommentsStripProps & { comments: ReturnType<typeof useComments> }) {
  const listOpen = commentsStore((store) => store.listOpen);
  const placed = commentsStore((store) => store.placed);
  const id = useId();
  const buttons = useRef<HTMLDivElement>(null);
  useToldHeight(isLast ? buttons : nothing);
  return (
    <section aria-label="Comments to send" className="shrink-0 border-t border-line bg-panel">
      {listOpen && (
        <ul
          id={id}
          className="grid max-h-[40vh] scroll-slim gap-2 overflow-y-auto border-b border-line p-2.5"
        >
          {comments.map((comment) => (
            <li key={comment.commentId}>
              <CommentCard
                comment={comment}
                placed={placed.get(comment.commentId) ?? null}
                onShow={() => onShow(comment.path)}
              />
            </li>
          ))}
        </ul>
      )}
      <div ref={buttons} className="flex min-h-10 flex-wrap items-center gap-2 px-2.5 py-1.5">
        <button
          type="button"
          aria-expanded={listOpen}
          aria-controls={listOpen ? id : undefined}
          onClick={() => commentsStore.setState({ listOpen: !listOpen })}
          className="flex h-6 items-center gap-1.5 rounded-s px-1.5 text-s text-ink-2 hover:bg-hover hover:text-ink"
        >
          <MessageSquareText aria-hidden size={14} />
          {count(comments.length, "comment")} to send
          <ChevronUp
            aria-hidden
            size={14}
            className={cx("text-ink-3 transition-transform", listOpen && "rotate-180")}
          />
        </button>
        <span className="flex-1" />
        <SendComments />
      </div>
    </section>
  );
}

function SendComments() {
  const sending = commentsStore((store) => store.sending);
  const running = useHead((head) => head.run !== null);
  const title = useHead((head) => head.title);
  const blocked = useBlocked();
  const reason = blocked?.reason ?? null;
  const to = title === "" ? "a new thread" : `“${title}”`;
  if (!running) {
    return (
      <Hint text={reason ?? `As one message to ${to}`} side="top">
        <Button
          tone="primary"
          busy={sending}
          disabled={reason !== null}
          aria-description={reason ?? undefined}
          icon={<Send aria-hidden size={13} />}
          once
          onClick={() => void sendComments("turn")}
        >
          Send comments
        </Button>
      </Hint>
    );
  }
  return (
    <>
      <Hint text={reason ?? "The agent reads them at its next step"} side="top">
        <Button
          disabled={reason !== null || sending}
          aria-description={reason ?? undefined}
          icon={<CornerDownRight aria-hidden size={13} />}
          once
          onClick={() => void sendComments("steer")}
        >
          Steer with comments
        </Button>
      </Hint>
      <Hint text={reason ?? "When the turn has ended"} side="top">
        <Button
          tone="primary"
          busy={sending}
          disabled={reason !== null}
          aria-description={reason ?? undefined}
          icon={<ListEnd aria-hidden size={13} />}
          once
          onClick={() => void sendComments("queue")}
        >
          Queue comments
        </Button>
      </Hint>
    </>
  );
}
