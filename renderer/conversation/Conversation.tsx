import "./ansi/ansi.css";
import "./diff/diff.css";
import "./highlight/tokens.css";
import "./markdown/prose.css";
import { Approvals } from "../approvals/Approvals";
import { useHead, useThread, useThreadKey } from "../state/threadStore";
import { Spinner } from "../ui/Spinner";
import { ConversationLog } from "./list/ConversationLog";
import { ThreadFault } from "./ThreadFault";

/** The text of the shown thread, and below it what waits for the person. */
export function Conversation() {
  const threadKey = useThreadKey();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ConversationLog key={threadKey} />
      <NotHereYet />
      <ThreadFault />
      <Approvals key={`requests ${threadKey}`} />
    </div>
  );
}

/** Over the empty list while its first turns are on the way, or codex must first be done with what it had of the thread. */
function NotHereYet() {
  const empty = useThread((copy) => copy.order.length === 0 && copy.turnOrder.length === 0);
  const residency = useHead((head) => (head.threadId === null ? null : head.residency));
  if (!empty || (residency !== "loading" && residency !== "unloading")) return null;
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-0 top-1/3 flex animate-late items-center justify-center gap-2 text-ink-2"
    >
      <Spinner />
      {residency === "loading"
        ? "Loading the thread…"
        : "codex is unloading the thread. It is loaded again right after that…"}
    </p>
  );
}
