// One request with one button for each decision that codex offers for it. See clickGuard.ts for what a press may mean.

import { ShieldQuestion, TriangleAlert } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import type { Decision, Request } from "../../preload/contract/requests";
import { useThreadRow } from "../state/appStore";
import { goToThread } from "../state/navigation";
import { useHead } from "../state/threadStore";
import { useApprovalTrouble } from "../threadPlace/usePlace";
import { Button } from "../ui/Button";
import { cx } from "../ui/cx";
import { Hint } from "../ui/Hint";
import { Kbd } from "../ui/Kbd";
import { keyText } from "../ui/keys";
import { aimedAtMs } from "./aim";
import { allAnswers, type Filled, firstProblem, nothingFilled } from "./answers";
import { type Card, judgeClick } from "./clickGuard";
import { QuestionFields } from "./QuestionFields";
import { RequestBody, titleOf, Verbatim } from "./RequestBody";
import { scopeWords } from "./scopeWords";
import { decisionKeys } from "./shortcuts";
import { useCardKeys } from "./useCardKeys";
import { useMovedAt } from "./useMovedAt";

export interface ApprovalCardProps {
  request: Request;
  /** An answer of this window is on its way. */
  sending: boolean;
  /** "1 of 3", with the ways to the others. */
  place: ReactNode;
  onAnswer(requestKey: string, decisionId: string, answers?: Record<string, string[]>): void;
}

export function ApprovalCard({ request, sending, place, onAnswer }: ApprovalCardProps) {
  const box = useRef<HTMLFieldSetElement>(null);
  const pressed = useRef<{ key: string; atMs: number } | null>(null);
  const movedAt = useMovedAt(box, request.key);
  const [filled, setFilled] = useState<Filled>(nothingFilled);
  const [tried, setTried] = useState(false);
  const answering = sending || request.answering;
  const keys = decisionKeys(request.decisions);
  const threadKey = useHead((head) => head.key);
  const threadId = useHead((head) => head.threadId);
  const ofAgent = request.threadId !== threadId && request.threadId !== threadKey;

  const card = (): Card => ({
    requestKey: request.key,
    movedAtMs: movedAt.current,
    aimedAtMs: aimedAtMs(),
    answering,
  });
  const answer = (decision: Decision) => {
    if (request.kind !== "questions" || decision.tone !== "accept") {
      onAnswer(request.key, decision.id);
      return;
    }
    setTried(true);
    const problem = firstProblem(filled, request.questions);
    if (problem === null) onAnswer(request.key, decision.id, allAnswers(filled, request.questions));
    else focusQuestion(box, problem);
  };
  useCardKeys(box, card, (key) => {
    const decision = request.decisions[keys.indexOf(key)];
    if (!decision) return false;
    answer(decision);
    return true;
  });

  return (
    <fieldset
      ref={box}
      tabIndex={-1}
      aria-label="Approval request"
      aria-busy={answering || undefined}
      // Where the press began, before anything that it leads to.
      onPointerDownCapture={(event) => {
        pressed.current = { key: request.key, atMs: event.timeStamp };
      }}
      className="grid min-w-0 gap-2 rounded-m border border-warn bg-warn-soft px-3.5 py-2.5"
    >
      <header className="flex min-h-6 min-w-0 items-center gap-2">
        <ShieldQuestion aria-hidden size={15} className="shrink-0 text-warn" />
        <h3 className="min-w-0 flex-1 truncate">
          {request.kind === "questions" || request.kind === "link" ? null : (
            <Asker request={request} ofAgent={ofAgent} />
          )}
          {titleOf(request)}
        </h3>
        {ofAgent && (request.kind === "questions" || request.kind === "link") && (
          <AgentLink threadId={request.threadId} agentName={request.agentName} />
        )}
        {place}
      </header>
      <div className="grid max-h-[42vh] content-start gap-2 overflow-y-auto">
        {request.kind === "questions" ? (
          <QuestionFields
            questions={request.questions}
            filled={filled}
            onChange={setFilled}
            showProblems={tried}
            disabled={answering}
          />
        ) : (
          <RequestBody request={request} />
        )}
        {request.decisions.map(
          (decision) =>
            decision.scope !== null && (
              <Scope key={decision.id} label={decision.label} scope={decision.scope} />
            ),
        )}
      </div>
      {request.kind !== "questions" && request.kind !== "link" && <PlaceTrouble />}
      <div className="flex flex-wrap items-center gap-2 pt-0.5">
        {request.decisions.map((decision, index) => (
          <DecisionButton
            key={decision.id}
            decision={decision}
            shortcut={keys[index] ?? null}
            inert={answering}
            onPress={(click) => {
              const press = click.detail === 0 ? null : pressed.current;
              pressed.current = null;
              const verdict = judgeClick(card(), {
                pressedAtMs: press?.atMs ?? (click.detail === 0 ? null : click.timeStamp),
                pressedKey: press?.key ?? null,
                series: click.detail,
              });
              if (verdict === "answer") answer(decision);
            }}
          />
        ))}
        {answering && (
          <span role="status" className="text-s text-ink-2">
            Sending your answer…
          </span>
        )}
        {!answering && keys.some((key) => key !== null) && (
          <span className="ml-auto flex items-center gap-1 text-xs whitespace-nowrap text-ink-3">
            <span aria-hidden className="contents">
              While you write: <Kbd keys="mod+j" /> and then its letter
            </span>
            <span className="sr-only">
              While you write, {keyText("mod+j")} goes to this request; the letter of an answer then gives it.
            </span>
          </span>
        )}
        {request.decisions.length === 0 && (
          <span className="text-s text-ink-2">
            codex offers no answer for this here; it can only be stopped.
          </span>
        )}
      </div>
    </fieldset>
  );
}

function focusQuestion(box: RefObject<HTMLElement | null>, id: string): void {
  const field = box.current?.querySelector<HTMLElement>(
    `[data-question="${CSS.escape(id)}"] :is(input, textarea)`,
  );
  field?.focus();
}

function Asker({ request, ofAgent }: { request: Request; ofAgent: boolean }) {
  if (!ofAgent) return <b className="font-semibold">The agent </b>;
  return (
    <>
      <AgentLink threadId={request.threadId} agentName={request.agentName} />{" "}
    </>
  );
}

/** The agent below this thread that asks; its own thread is one click away. */
function AgentLink({ threadId, agentName }: { threadId: string; agentName: string | null }) {
  const row = useThreadRow(threadId);
  const name = agentName === null ? (row?.title ?? "An agent of this thread") : `Agent ${agentName}`;
  return (
    <button
      type="button"
      aria-disabled={!row}
      onClick={() => row && goToThread(row.workspaceId, threadId)}
      className={cx("rounded-xs font-semibold", row && "hover:underline")}
    >
      {name}
    </button>
  );
}

/** It would run where nothing can run any more; codex offers the same answers all the same. */
function PlaceTrouble() {
  const words = useApprovalTrouble();
  return (
    <p role="status" className="flex items-start gap-1.5 text-s text-ink empty:hidden">
      {words !== null && (
        <>
          <TriangleAlert aria-hidden size={13} className="mt-[3px] shrink-0 text-warn" />
          <span className="min-w-0 text-pretty">{words}</span>
        </>
      )}
    </p>
  );
}

/** What a decision that lasts covers, word for word, and for how long. */
function Scope({ label, scope }: { label: string; scope: string }) {
  const { before, after } = scopeWords(label, scope);
  return (
    <p className="flex items-start gap-1.5 text-s text-ink-2">
      <TriangleAlert aria-hidden size={13} className="mt-[3px] shrink-0 text-warn" />
      <span className="min-w-0 break-words">
        {before}{" "}
        <code className="rounded-xs border border-line bg-raised px-1 text-xs text-ink selectable">
          <Verbatim text={scope} />
        </code>
        {after}
      </span>
    </p>
  );
}

interface DecisionButtonProps {
  decision: Decision;
  shortcut: string | null;
  inert: boolean;
  onPress(click: { detail: number; timeStamp: number }): void;
}

function DecisionButton({ decision, shortcut, inert, onPress }: DecisionButtonProps) {
  const tone = decision.tone === "accept" ? "primary" : decision.tone === "decline" ? "quiet" : "default";
  const button = (
    <Button
      tone={tone}
      shortcut={shortcut ?? undefined}
      disabled={inert}
      aria-description={decision.explanation ?? undefined}
      // With the words that it covers it may be long: then it has more lines.
      className={
        decision.scope === null
          ? undefined
          : "h-auto! min-h-(--h-control) max-w-full py-1 text-left whitespace-normal!"
      }
      onClick={(event) => onPress({ detail: event.detail, timeStamp: event.timeStamp })}
    >
      {decision.label}
    </Button>
  );
  if (decision.explanation === null) return button;
  return (
    <Hint text={decision.explanation} side="top">
      {button}
    </Hint>
  );
}
