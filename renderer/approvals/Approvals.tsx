// What waits for the person in this thread: one request at a time, in the order in which they were asked, so that one that
// arrives moves nothing. The others are counted and can be gone to.
//
// Races, and what settles each:
// - An answer is sent and its request is still listed: the card is inert from the press until codex confirms.
// - The request was answered elsewhere or withdrawn meanwhile: main says `gone`, nothing was done, and that is said here.
// - The answer could not be sent: the card can be pressed again.
// - The request that is shown goes away: the next one appears in its place and ignores the pointer for a moment.
// - Two presses before the first has drawn anything: the second finds the request among those that are being answered.

import { ChevronLeft, ChevronRight, CircleSlash } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../state/connection";
import { useHead } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { IconButton } from "../ui/IconButton";
import { ApprovalCard } from "./ApprovalCard";
import { requestIsFound, requestIsShown, shownRequest } from "./shownRequest";
import { useKeyboardFromCard } from "./useKeyboardFromCard";

const saidMs = 6_000;

export function Approvals() {
  const requests = useHead((head) => head.requests);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const sending = useRef(new Set<string>());
  const [, draw] = useState(0);
  const [goneCount, setGoneCount] = useState(0);

  const answer = useCallback(
    async (requestKey: string, decisionId: string, answers?: Record<string, string[]>) => {
      sending.current.add(requestKey);
      draw((before) => before + 1);
      const answered = await attempt(call("requests.answer", { requestKey, decisionId, answers }));
      if (answered?.outcome === "gone") setGoneCount((before) => before + 1);
      if (answered) return;
      sending.current.delete(requestKey);
      draw((before) => before + 1);
    },
    [],
  );
  const forget = useCallback(() => setGoneCount(0), []);

  const byAge = [...requests].sort((a, b) => a.askedAtMs - b.askedAtMs);
  const placeOf = (key: string | null) => byAge.findIndex((request) => request.key === key);
  // One that was chosen elsewhere, as soon as this thread has it.
  const wantedKey = shownRequest((store) => store.wanted);
  const wanted = placeOf(wantedKey);
  const at = Math.max(0, wanted >= 0 ? wanted : placeOf(shownKey));
  const shown = byAge[at];
  /** The way in which the person turns the cards, until the next one is there. */
  const turned = useRef<"Next" | "Previous" | null>(null);
  const go = (by: 1 | -1) => {
    turned.current = by === 1 ? "Next" : "Previous";
    setShownKey(byAge[at + by]?.key ?? null);
  };
  // The one that is looked at stays, whatever is asked before or after it.
  const currentKey = shown?.key ?? null;
  const keyboard = useKeyboardFromCard(box, currentKey);
  const isWanted = wanted >= 0;
  useEffect(() => {
    setShownKey(currentKey);
    requestIsShown(currentKey);
    // The buttons go with their card: the keyboard is on the same one of the card that has come.
    if (turned.current !== null) {
      box.current?.querySelector<HTMLElement>(`button[aria-label="${turned.current} request"]`)?.focus();
      turned.current = null;
    }
    return () => requestIsShown(null);
  }, [currentKey]);
  useEffect(() => {
    if (!isWanted) return;
    setShownKey(currentKey);
    requestIsFound();
    // Somebody has come for it: its keys, and Tab to its buttons, are at hand.
    box.current?.querySelector("fieldset")?.focus();
  }, [isWanted, currentKey]);

  return (
    // In a low window the whole card scrolls, from its beginning: what is asked for comes into view before its buttons do.
    <div ref={box} className="max-h-[calc(100%-72px)] shrink-0 overflow-y-auto px-6 not-empty:pb-2">
      {goneCount > 0 && <Gone key={goneCount} onDone={forget} />}
      {shown && (
        <div className="mx-auto w-full max-w-190">
          <ApprovalCard
            key={shown.key}
            request={shown}
            sending={sending.current.has(shown.key)}
            onAnswer={(requestKey, ...given) => {
              if (sending.current.has(requestKey)) return;
              void answer(requestKey, ...given);
              keyboard.answered(byAge.some(({ key }) => !sending.current.has(key)));
            }}
            place={
              byAge.length > 1 ? (
                <span className="flex shrink-0 items-center text-s text-ink-2 tabular">
                  <IconButton
                    label="Previous request"
                    size="s"
                    icon={<ChevronLeft size={14} />}
                    disabled={at === 0}
                    onClick={() => go(-1)}
                  />
                  {at + 1} of {byAge.length}
                  <IconButton
                    label="Next request"
                    size="s"
                    icon={<ChevronRight size={14} />}
                    disabled={at === byAge.length - 1}
                    onClick={() => go(1)}
                  />
                </span>
              ) : null
            }
          />
        </div>
      )}
    </div>
  );
}

/** Said for a while after a late answer. */
function Gone({ onDone }: { onDone(): void }) {
  useEffect(() => {
    const timer = setTimeout(onDone, saidMs);
    return () => clearTimeout(timer);
  }, [onDone]);
  return (
    <p role="status" className="mx-auto flex w-full max-w-190 items-center gap-1.5 py-1 text-s text-ink-2">
      <CircleSlash aria-hidden size={13} className="text-ink-3" />
      That request was no longer needed: it was answered elsewhere or withdrawn. Nothing was done.
    </p>
  );
}
