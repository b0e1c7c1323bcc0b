import { useEffect, useState } from "react";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import { take } from "../ui/takenEvents";
import { askedForMs, escapeMeans } from "./escapeStops";

export interface EscapeStops {
  /** "Press Esc again to stop" is to be read. */
  isAsked: boolean;
  /** Escape in the message field. True: it was for the turn. */
  press(event: KeyboardEvent): boolean;
  /** The field is left: what is pressed in it later begins anew. */
  left(): void;
}

export function useEscapeStops(threadKey: string, isEmpty: boolean, canStop: boolean): EscapeStops {
  // Counts, so that each time it is asked it is asked for as long.
  const [asked, setAsked] = useState(0);
  const isAsked = asked > 0 && isEmpty && canStop;
  useEffect(() => {
    if (asked === 0) return;
    if (!isAsked) {
      setAsked(0);
      return;
    }
    const timer = setTimeout(() => setAsked(0), askedForMs);
    return () => clearTimeout(timer);
  }, [asked, isAsked]);
  return {
    isAsked,
    press(event) {
      const means = escapeMeans({ isEmpty, canStop, isAsked }, event);
      if (means === null || !take(event)) return means !== null;
      if (means === "ask") setAsked((count) => count + 1);
      if (means === "stop") {
        setAsked(0);
        void attempt(call("turns.stop", { threadKey }));
      }
      return true;
    },
    left: () => setAsked(0),
  };
}
