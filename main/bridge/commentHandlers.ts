// Answers what a window asks of comments on changed lines.

import type { Threads } from "../threads/threads";
import type { BackendCall, Handlers } from "./backend";

type CommentCall = Extract<BackendCall, `comments.${string}`>;

const done = { done: true } as const;

export function commentHandlers({ comments }: Threads): Handlers<CommentCall> {
  return {
    async "comments.put"({ threadKey, ...change }) {
      return comments.put(threadKey, change);
    },
    async "comments.delete"({ threadKey, commentId }) {
      comments.delete(threadKey, commentId);
      return done;
    },
    async "comments.send"({ threadKey, ...message }) {
      return { outcome: comments.send(threadKey, message) };
    },
  };
}
