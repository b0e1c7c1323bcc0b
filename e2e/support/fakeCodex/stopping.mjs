/**
 * Rejects with the signal's reason when the turn is stopped first. Without a signal there is nothing to be stopped by.
 * @template T
 * @param {Promise<T>} promise
 * @param {{ signal: AbortSignal | null }} context
 * @returns {Promise<T>}
 */
export function orStopped(promise, { signal }) {
  if (!signal) return promise;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stopped = () => reject(signal.reason);
    signal.addEventListener("abort", stopped, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stopped));
  });
}
