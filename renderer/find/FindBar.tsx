import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { call } from "../state/connection";
import { onSignal, send } from "../state/signals";
import { useHead, useThreadKey } from "../state/threadStore";
import { attempt } from "../state/toasts";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { closeFind, findStore, goToMatch, lookFor } from "./findStore";
import { countWords } from "./matches";

/** Over the conversation while one looks for words in it. */
export function FindBar() {
  const open = findStore((store) => store.open);
  return open ? <Bar /> : null;
}

function Bar() {
  const query = findStore((store) => store.query);
  const words = findStore((store) => countWords(store.query, store.at, store.matches));
  const nothing = findStore((store) => store.matches.list.length === 0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(
    () =>
      onSignal("focus-find", () => {
        field.current?.focus();
        field.current?.select();
      }),
    [],
  );
  const close = () => {
    closeFind();
    send("focus-conversation");
  };
  return (
    <search
      aria-label="Find in conversation"
      className="absolute top-2 right-4 z-20 w-100 max-w-[calc(100%-32px)] animate-fade rounded-m border border-line-strong bg-raised p-1 shadow-pop"
    >
      <div className="flex items-center gap-0.5">
        <input
          ref={field}
          aria-label="Find in conversation"
          placeholder="Find in conversation"
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => lookFor(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter") {
              event.preventDefault();
              goToMatch(event.shiftKey ? -1 : 1);
            } else if (event.key === "Escape") {
              event.preventDefault();
              close();
            }
          }}
          className="h-7 min-w-0 flex-1 rounded-s bg-transparent px-2 text-ink outline-none focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-focus"
        />
        <span
          role="status"
          aria-label="Matches"
          className="min-w-18 px-1 text-right text-s whitespace-nowrap text-ink-3 tabular"
        >
          {words}
        </span>
        <IconButton
          label="Previous match"
          shortcut="shift+enter"
          size="s"
          disabled={nothing}
          icon={<ChevronUp size={15} />}
          onClick={() => goToMatch(-1)}
        />
        <IconButton
          label="Next match"
          shortcut="enter"
          size="s"
          disabled={nothing}
          icon={<ChevronDown size={15} />}
          onClick={() => goToMatch(1)}
        />
        <IconButton label="Close" shortcut="escape" size="s" icon={<X size={15} />} onClick={close} />
      </div>
      <Earlier />
    </search>
  );
}

/** What is not loaded is not looked through, and that is said. */
function Earlier() {
  const threadKey = useThreadKey();
  const hasOlder = useHead((head) => head.hasOlder);
  const loading = useHead((head) => head.loadingOlder);
  const [asked, setAsked] = useState(false);
  if (!hasOlder) return null;
  const load = async () => {
    setAsked(true);
    await attempt(call("threads.loadOlder", { threadKey }));
    setAsked(false);
  };
  return (
    <div className="mt-1 flex items-center gap-2 border-t border-line pt-1 pl-2 text-s text-ink-3">
      <span className="min-w-0 flex-1 truncate">Earlier turns are not searched yet.</span>
      <Button size="s" tone="quiet" busy={asked || loading} onClick={() => void load()}>
        Search older turns
      </Button>
    </div>
  );
}
