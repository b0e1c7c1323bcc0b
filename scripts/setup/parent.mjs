// npm runs a script through a shell, and does not wait for what the shell runs: a signal to npm ends the shell and leaves
// us without a word. So a run that npm started watches for that.

const lookEveryMs = 250;

/**
 * Calls back, once, when we were started by npm and the process between has gone.
 * @param {() => void} callback
 * @returns {() => void} stops watching
 */
export function whenNpmHasGone(callback) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
