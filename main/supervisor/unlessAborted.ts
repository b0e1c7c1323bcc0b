// Waiting that can be given up.
//
// Race: the work ends just when it is given up. Whoever waited is told one of the two, once; what the work has made is then
// for `unused`, so that nothing that was made is nobody's.

import { asFault } from "../fault";

/** Rejects as soon as the signal is aborted; what comes of the work then is for `unused`. */
export function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  unused?: (value: Value) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(asFault(signal.reason));
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted, { once: true });
    const done = (value: Value) => {
      if (signal.aborted) unused?.(value);
      resolve(value);
    };
    work.then(done, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
