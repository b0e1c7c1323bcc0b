import { elapsedWords } from "../time/durations";
import { useNow } from "../time/useNow";

/** Counts up, once a second, with every other counter in the window. */
export function Elapsed({ sinceMs }: { sinceMs: number }) {
  return <>{elapsedWords(useNow() - sinceMs)}</>;
}
