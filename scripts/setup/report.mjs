// What setup says, and how it says that it cannot go on. All of it goes to standard error, so that the output of the
// program that is started stays its own.

/** A failure that a person can do something about: shown as it is, without a stack. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {{ remedy?: string, detail?: string, cause?: unknown }} [options] `remedy` is what to do, `detail` the output that tells why
   */
  constructor(message, options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SetupError";
    this.remedy = options.remedy;
    this.detail = options.detail;
  }
}

/** @param {string} line */
export function say(line) {
  process.stderr.write(`holdfast: ${line}\n`);
}

/** What takes long is said to be going on. */
const stillAtItMs = 15_000;

/**
 * Says what is being done before, that it goes on while it does, and how long it took after.
 * @template Result
 * @param {string} what such as "Installing packages"
 * @param {() => Promise<Result>} task
 * @returns {Promise<Result>}
 */
export async function saying(what, task) {
  const startedMs = performance.now();
  const seconds = (/** @type {number} */ digits) => ((performance.now() - startedMs) / 1000).toFixed(digits);
  say(`${what} ...`);
  const timer = setInterval(() => say(`${what}: ${seconds(0)} s so far`), stillAtItMs);
  try {
    const result = await task();
    say(`${what}: done in ${seconds(1)} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Runs a whole script: its result is the exit code, and a failure is told on standard error.
 * @param {() => Promise<number>} main
 */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof SetupError) {
      if (error.detail) process.stderr.write(`${error.detail.trimEnd()}\n`);
      say(error.message);
      if (error.remedy) say(error.remedy);
    } else {
      console.error(error);
    }
  }
}
