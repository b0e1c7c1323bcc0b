// What a script asks the person: one question at a time, the longest open first, so that one that arrives moves nothing. A
// press means what clickGuard.ts says. See answering.ts for what becomes of an answer.

import { ChevronLeft, ChevronRight, CircleSlash, Copy, MessageCircleQuestionMark } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { CellQuestion } from "../../../preload/contract/cells";
import { aimedAtMs } from "../../approvals/aim";
import { type Card, judgeClick } from "../../approvals/clickGuard";
import { useCardKeys } from "../../approvals/useCardKeys";
import { useMovedAt } from "../../approvals/useMovedAt";
import { actionOf, belongsToInputMethod } from "../../composer/keys";
import { useApp } from "../../state/appStore";
import { copyText } from "../../state/threadActions";
import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { answering, questionIsFound, questionIsShown, sendAnswer, typeAnswer } from "./answering";
import { focusCard, useKeyboardOnNext } from "./questionKeyboard";

/** What was typed as an answer to a question that is gone; null: nothing was. */
interface GoneQuestion {
  question: string;
  typed: string | null;
}

export function Questions({ runId }: { runId: string }) {
  const all = useApp((app) => app.cellQuestions);
  const questions = useMemo(
    () => all.filter((each) => each.runId === runId).sort((a, b) => a.askedAtMs - b.askedAtMs),
    [all, runId],
  );
  const [shownId, setShownId] = useState<string | null>(null);
  const [gone, setGone] = useState<GoneQuestion | null>(null);
  const box = useRef<HTMLDivElement>(null);

  const placeOf = (id: string | null) => questions.findIndex(({ questionId }) => questionId === id);
  const wantedId = answering((store) => store.wanted);
  const wanted = placeOf(wantedId);
  const at = Math.max(0, wanted >= 0 ? wanted : placeOf(shownId));
  const shown = questions[at];
  const currentId = shown?.questionId ?? null;
  const isWanted = wanted >= 0;
  useEffect(() => {
    setShownId(currentId);
    questionIsShown(currentId);
    return () => questionIsShown(null);
  }, [currentId]);
  useEffect(() => {
    if (!isWanted) return;
    questionIsFound();
    focusCard(box.current);
  }, [isWanted]);
  useGoneWhileTyped(shown, questions, setGone);
  useKeyboardOnNext(box, currentId);

  const answer = async ({ questionId, question }: CellQuestion, text: string) => {
    setGone(null);
    const typed = answering.getState().typed.get(questionId) ?? null;
    if ((await sendAnswer(questionId, text)) === "gone") setGone({ question, typed });
  };
  const go = (by: number) => setShownId(questions[at + by]?.questionId ?? null);
  return (
    <div
      ref={box}
      className="max-h-[60%] overflow-y-auto not-empty:min-h-[25%] px-4 not-empty:border-t not-empty:border-line not-empty:py-3"
    >
      {gone && <Gone gone={gone} onDone={() => setGone(null)} />}
      {shown && (
        <QuestionCard
          key={shown.questionId}
          question={shown}
          onAnswer={(text) => void answer(shown, text)}
          place={
            questions.length > 1 ? (
              <span className="flex shrink-0 items-center text-s text-ink-2 tabular">
                <IconButton
                  label="Previous question"
                  size="s"
                  icon={<ChevronLeft size={14} />}
                  disabled={at === 0}
                  data-go
                  onClick={() => go(-1)}
                />
                {at + 1} of {questions.length}
                <IconButton
                  label="Next question"
                  size="s"
                  icon={<ChevronRight size={14} />}
                  disabled={at === questions.length - 1}
                  data-go
                  onClick={() => go(1)}
                />
              </span>
            ) : null
          }
        />
      )}
    </div>
  );
}

/** Says it when a question goes away that the person was answering here. */
function useGoneWhileTyped(
  shown: CellQuestion | undefined,
  questions: readonly CellQuestion[],
  tell: (gone: GoneQuestion) => void,
): void {
  const last = useRef<CellQuestion | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = shown ?? null;
    if (!before || questions.some(({ questionId }) => questionId === before.questionId)) return;
    const { typed, sending } = answering.getState();
    const text = typed.get(before.questionId);
    if (text !== undefined && !sending.has(before.questionId))
      tell({ question: before.question, typed: text });
  }, [shown, questions, tell]);
}

function Gone({ gone, onDone }: { gone: GoneQuestion; onDone(): void }) {
  const { typed } = gone;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2 text-s text-ink-2">
      <span className="flex min-w-0 items-center gap-1.5">
        <CircleSlash aria-hidden size={13} className="shrink-0 text-ink-3" />
        <span className="text-pretty">
          That question needs no answer any more: it was answered elsewhere, or its run has ended.
        </span>
      </span>
      <span className="flex gap-1">
        {typed !== null && (
          <Button
            size="s"
            icon={<Copy aria-hidden size={12} />}
            onClick={() => void copyText(typed, "What you wrote")}
          >
            Copy what you wrote
          </Button>
        )}
        <Button size="s" tone="quiet" onClick={onDone}>
          Dismiss
        </Button>
      </span>
    </div>
  );
}

interface QuestionCardProps {
  question: CellQuestion;
  place: ReactNode;
  onAnswer(answer: string): void;
}

/** A number for each of the first options. */
const keyedOptions = 9;

function QuestionCard({ question, place, onAnswer }: QuestionCardProps) {
  const { questionId, options } = question;
  const box = useRef<HTMLFieldSetElement>(null);
  const pressed = useRef<{ key: string; atMs: number } | null>(null);
  const movedAt = useMovedAt(box, questionId);
  const sending = answering((store) => store.sending.has(questionId));
  const card = useCallback(
    (): Card => ({
      requestKey: questionId,
      movedAtMs: movedAt.current,
      aimedAtMs: aimedAtMs(),
      answering: sending,
    }),
    [questionId, movedAt, sending],
  );
  const answerByKey = (key: string) => {
    const option = options[Number(key) - 1];
    if (option === undefined) return false;
    onAnswer(option);
    return true;
  };
  useCardKeys(box, card, answerByKey, "card");
  const press = (event: { detail: number; timeStamp: number }, option: string) => {
    const down = event.detail === 0 ? null : pressed.current;
    pressed.current = null;
    const verdict = judgeClick(card(), {
      pressedAtMs: down?.atMs ?? (event.detail === 0 ? null : event.timeStamp),
      pressedKey: down?.key ?? null,
      series: event.detail,
    });
    if (verdict === "answer") onAnswer(option);
  };
  return (
    <fieldset
      ref={box}
      tabIndex={-1}
      aria-label="Question"
      data-options={options.length > 0 || undefined}
      data-pane-first={options.length > 0 || undefined}
      aria-busy={sending || undefined}
      onPointerDownCapture={(event) => {
        pressed.current = { key: questionId, atMs: event.timeStamp };
      }}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5 rounded-m border border-warn bg-warn-soft px-3.5 py-3"
    >
      <header className="flex min-h-6 min-w-0 items-start gap-2">
        <MessageCircleQuestionMark aria-hidden size={16} className="mt-0.5 shrink-0 text-warn" />
        <h3 className="min-w-0 flex-1 font-medium text-pretty wrap-anywhere whitespace-pre-wrap selectable">
          {question.question}
        </h3>
        {place}
      </header>
      {options.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {options.map((option, index) => (
            <Button
              // biome-ignore lint/suspicious/noArrayIndexKey: the options of a question do not change
              key={index}
              shortcut={index < keyedOptions ? String(index + 1) : undefined}
              disabled={sending}
              className="h-auto! min-h-(--h-control) max-w-full py-1 text-left wrap-anywhere whitespace-normal!"
              onClick={(event) => press(event, option)}
            >
              {option}
            </Button>
          ))}
        </div>
      )}
      <OwnAnswer question={question} sending={sending} onAnswer={onAnswer} />
    </fieldset>
  );
}

function OwnAnswer({
  question: { questionId, options },
  sending,
  onAnswer,
}: Omit<QuestionCardProps, "place"> & { sending: boolean }) {
  const text = answering((store) => store.typed.get(questionId) ?? "");
  const enterSends = useApp((app) => app.settings.enterSends);
  const compositionEndedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const empty = text.trim() === "";
  const answer = () => {
    if (!empty && !sending) onAnswer(text);
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (belongsToInputMethod(event.nativeEvent, compositionEndedAtMs.current)) return;
    const action = actionOf(event.nativeEvent, enterSends);
    if (action === null) return;
    event.preventDefault();
    if (action === "send") answer();
  };
  return (
    <div className="flex items-end gap-2">
      <textarea
        aria-label="Your answer"
        data-pane-first={options.length === 0 || undefined}
        value={text}
        readOnly={sending}
        rows={1}
        maxLength={100_000}
        placeholder={options.length > 0 ? "Something else…" : "Your answer…"}
        onChange={(event) => typeAnswer(questionId, event.target.value)}
        onCompositionEnd={(event) => {
          compositionEndedAtMs.current = event.timeStamp;
        }}
        onKeyDown={press}
        className="field-sizing-content max-h-[30vh] min-h-(--h-control) min-w-0 flex-1 resize-none rounded-s border border-field-line bg-raised px-2.5 py-[3px] text-m outline-none focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus"
      />
      <Button tone="primary" busy={sending} disabled={empty} onClick={answer}>
        Answer
      </Button>
    </div>
  );
}
