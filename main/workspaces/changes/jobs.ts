// What takes long in a repository and can be cancelled: a commit with its hooks, a push, a pull request, a suggestion. Each
// has a name that its page has made, and its output, of which the end is kept.
//
// Races, and what settles each:
// - It is cancelled when it has just ended: nothing happens.
// - Two windows begin the same at once: the second is refused, and sees the first one in the list.
// - Its output is asked for, or it is cancelled, in the moment in which it is asked for itself: it is known from that moment on,
//   before anything is looked at for it.
// - Its output is asked for when it has ended: then there is no more, and nobody waits.

import { StringDecoder } from "node:string_decoder";
import type { ChangesJob } from "../../../preload/contract/changes";
import type { Clock, Timer } from "../../clock";
import { Fault } from "../../fault";
import { redactText } from "../../redact";
import { markerVariable } from "../../supervisor/handleTree";

export interface Job {
  readonly jobId: string;
  /** For all that it runs. */
  readonly variables: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  heard(chunk: Buffer): void;
  /** All of it that is kept. */
  said(): string;
}

export interface JobOutput {
  text: string;
  next: number;
  over: boolean;
}

const mostCharacters = 64 * 1024;
const mostEnded = 20;
const outputLastsMs = 25_000;

export class ChangesJobs {
  readonly #clock: Clock;
  readonly #changed: (workspaceId: string) => void;
  /** Those that have ended too, the newest last. */
  readonly #jobs = new Map<string, RunningJob>();

  constructor(clock: Clock, changed: (workspaceId: string) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** `treeOf`: where it is done. Throws Fault `repository_busy` when the same goes on there already. */
  async run<Result>(
    about: { jobId: string; workspaceId: string; kind: ChangesJob["kind"] },
    treeOf: () => Promise<string>,
    task: (job: Job) => Promise<Result>,
  ): Promise<Result> {
    const { jobId, workspaceId, kind } = about;
    if (this.#jobs.has(jobId)) throw new Fault("job_known", "This has been asked for already.");
    const job = new RunningJob(about, this.#clock);
    this.#jobs.set(jobId, job);
    try {
      const tree = await treeOf();
      if (this.of(tree).some((other) => other.kind === kind)) throw busy(kind);
      job.tree = tree;
      this.#changed(workspaceId);
      job.signal.throwIfAborted();
      return await task(job);
    } catch (error) {
      if (job.signal.aborted)
        throw new Fault("cancelled", "It was cancelled.", { cause: error, retryable: true });
      throw error;
    } finally {
      job.end();
      this.#forgetOld();
      this.#changed(workspaceId);
    }
  }

  /** Those that go on in a working tree. */
  of(tree: string): ChangesJob[] {
    return [...this.#jobs.values()].flatMap((job) => (job.tree === tree && !job.isOver ? [job.view] : []));
  }

  ofWorkspace(workspaceId: string): ChangesJob[] {
    return [...this.#jobs.values()].flatMap((job) =>
      job.workspaceId === workspaceId && !job.isOver ? [job.view] : [],
    );
  }

  /** While a commit is made, the index is its own. */
  refuseDuringCommit(tree: string): void {
    if (this.of(tree).some(({ kind }) => kind === "commit")) throw busy("commit");
  }

  cancel(jobId: string): void {
    this.#jobs.get(jobId)?.cancel();
  }

  output(jobId: string, from: number): Promise<JobOutput> {
    const job = this.#jobs.get(jobId);
    return job ? job.output(from) : Promise.resolve({ text: "", next: from, over: true });
  }

  cancelAll(): void {
    for (const job of this.#jobs.values()) job.cancel();
  }

  #forgetOld(): void {
    const ended = [...this.#jobs].filter(([, job]) => job.isOver);
    for (const [jobId] of ended.slice(0, -mostEnded)) this.#jobs.delete(jobId);
  }
}

class RunningJob implements Job {
  /** null: it is still being found out. */
  tree: string | null = null;
  readonly workspaceId: string;
  readonly view: ChangesJob;
  readonly #abort = new AbortController();
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  /** What it says comes in pieces that may end in the middle of a character. */
  readonly #decoder = new StringDecoder("utf8");
  #text = "";
  /** How much was said before that. */
  #dropped = 0;
  #line = "";
  #isOver = false;

  constructor(about: { jobId: string; workspaceId: string; kind: ChangesJob["kind"] }, clock: Clock) {
    this.workspaceId = about.workspaceId;
    this.view = { jobId: about.jobId, kind: about.kind, sinceMs: clock.nowMs() };
    this.#clock = clock;
  }

  get jobId(): string {
    return this.view.jobId;
  }

  get variables(): NodeJS.ProcessEnv {
    return { [markerVariable]: this.jobId };
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  heard(chunk: Buffer): void {
    this.#line += this.#decoder.write(chunk);
    // By whole lines, so that no secret is cut in two and missed.
    const end = Math.max(this.#line.lastIndexOf("\n"), this.#line.lastIndexOf("\r")) + 1;
    if (end === 0 && this.#line.length < mostCharacters) return;
    this.#say(this.#line.slice(0, end || undefined));
    this.#line = end === 0 ? "" : this.#line.slice(end);
  }

  said(): string {
    return (this.#text + redactText(this.#line)).trim();
  }

  cancel(): void {
    if (!this.#isOver) this.#abort.abort();
  }

  end(): void {
    this.#say(this.#line + this.#decoder.end());
    this.#line = "";
    this.#isOver = true;
    this.#tell();
  }

  output(from: number): Promise<JobOutput> {
    const length = this.#dropped + this.#text.length;
    if (this.#isOver || length > from) return Promise.resolve(this.#outputFrom(from));
    return new Promise((resolve) => {
      let timer: Timer | null = null;
      const answer = () => {
        timer?.cancel();
        this.#waiting.delete(answer);
        resolve(this.#outputFrom(from));
      };
      timer = this.#clock.after(outputLastsMs, answer);
      this.#waiting.add(answer);
    });
  }

  #outputFrom(from: number): JobOutput {
    const text = this.#text.slice(Math.max(0, from - this.#dropped));
    return { text, next: this.#dropped + this.#text.length, over: this.#isOver };
  }

  #say(text: string): void {
    if (text === "") return;
    this.#text += redactText(text);
    const over = this.#text.length - mostCharacters;
    if (over > 0) {
      this.#text = this.#text.slice(over);
      this.#dropped += over;
    }
    this.#tell();
  }

  #tell(): void {
    for (const answer of [...this.#waiting]) answer();
  }
}

const kindWords: Record<ChangesJob["kind"], string> = {
  commit: "A commit is being made",
  push: "A push goes on",
  "pull request": "A pull request is being opened",
  suggestion: "A message is being suggested",
};

function busy(kind: ChangesJob["kind"]): Fault {
  return new Fault("repository_busy", `${kindWords[kind]} in this repository.`, {
    hint: "Wait until it has ended, or cancel it.",
    retryable: true,
  });
}
