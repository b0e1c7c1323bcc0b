// Ends what a shell has started in the background. An executor ends the process group of the shell, and a shell for a person puts
// each job in a group of its own. Hung up, as when the window of any terminal is closed, it passes that on to its jobs; but an
// exec-server can do no such thing, nor does it say which process it has started. So the shell is started through one that says
// its number first, in a sequence that a terminal ignores, and which is taken out of the output here.
//
// Races settled here:
// - It is ended before it has said its number: it has started nothing yet.
// - It has ended: nothing is hung up, since its number may be another one's by now.
// - It takes no notice, or the connection is lost: after a moment it is ended without.

import type { Clock, Timer } from "../../clock";
import type { Environment } from "../client/environment";
import type { ProcessEvent } from "../client/processStream";

const saysNumber = 'printf \'\\033]7777;%s\\007\' "$$"; exec "$0" "$@"';
const opening = "\u001b]7777;";
const wholeName = new RegExp(`${opening.replace("]", "\\]")}(\\d{1,20})\u0007`);
/** After so much it is not looked for any more. */
const mostBefore = 64 * 1024;
const patienceMs = 1_000;

export class HangUp {
  readonly #environment: Environment;
  readonly #clock: Clock;
  /** The end of what came so far, if it may be the beginning of its number; null: there is nothing to look for any more. */
  #held: Buffer | null = Buffer.alloc(0);
  #passed = 0;
  #pid: string | null = null;
  #ended: () => void = () => {};
  readonly #hasEnded: Promise<void>;

  constructor(environment: Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
    this.#hasEnded = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  wrapped(shellLine: [string, ...string[]]): [string, ...string[]] {
    return ["/bin/sh", "-c", saysNumber, ...shellLine];
  }

  /** The event as the terminal is to hear it. */
  withoutName(event: ProcessEvent): ProcessEvent {
    if (event.type === "output") return { ...event, bytes: this.#read(event.bytes) };
    if (event.type !== "gap") this.#pid = null;
    if (event.type === "closed" || event.type === "lost") this.#ended();
    return event;
  }

  /** Resolves when it has ended, or has not for a moment. Never rejects. `cwd`: any folder that is there. */
  async perform(cwd: string): Promise<void> {
    const pid = this.#pid;
    if (pid === null) return;
    const spec = {
      argv: ["/bin/sh", "-c", `kill -HUP ${pid}`] satisfies [string, ...string[]],
      cwd,
      env: {},
      inherits: "core",
      terminal: false,
      input: false,
    } as const;
    let timer: Timer | null = null;
    const patience = new Promise<void>((resolve) => {
      timer = this.#clock.after(patienceMs, resolve);
    });
    const hangingUp = this.#environment
      .start(spec, () => {})
      .then(
        () => this.#hasEnded,
        // It is ended in any case; only what it has left in the background may go on.
        () => undefined,
      );
    await Promise.race([hangingUp, this.#hasEnded, patience]);
    (timer as Timer | null)?.cancel();
  }

  /** What is typed at once may be shown before its number. */
  #read(bytes: Buffer): Buffer {
    if (this.#held === null) return bytes;
    const all = Buffer.concat([this.#held, bytes]);
    const name = wholeName.exec(all.toString("latin1"));
    if (name) {
      this.#held = null;
      this.#pid = name[1] ?? null;
      return Buffer.concat([all.subarray(0, name.index), all.subarray(name.index + name[0].length)]);
    }
    const held = heldFrom(all);
    this.#passed += held;
    this.#held = this.#passed < mostBefore ? all.subarray(held) : null;
    return this.#held === null ? all : all.subarray(0, held);
  }
}

/** From where on it may be the beginning of the sequence. */
function heldFrom(bytes: Buffer): number {
  const at = bytes.lastIndexOf(opening.charAt(0));
  if (at === -1) return bytes.length;
  const rest = bytes.subarray(at).toString("latin1");
  const number = rest.slice(opening.length);
  const mayBe = opening.startsWith(rest) || (rest.startsWith(opening) && /^\d{0,20}$/.test(number));
  return mayBe ? at : bytes.length;
}
