// Tells the person what happens where they do not look, and brings them there. What is told is decided in attentionMachine.ts.
//
// Races settled here:
// - A notification is clicked after its thread was archived, its workspace removed or its run forgotten: the click brings
//   Holdfast up all the same, and says why the thread is not there.
// - A decision is taken in a notification after the request was answered, or is over: nothing is sent, and that is said. A
//   notification's buttons are bound to the request that they were drawn for.
// - A click comes from a notification that was taken away in the same moment: it still goes where it said.

import type { NotificationSettings } from "../../preload/contract/attention";
import type { CellQuestion } from "../../preload/contract/cells";
import type { Answer, Decision, Request } from "../../preload/contract/requests";
import type { Clock, Timer } from "../clock";
import { asFault, type Fault } from "../fault";
import type { Log } from "../log";
import {
  type AttentionEffect,
  type AttentionEvent,
  type AttentionState,
  decideAttention,
  type Front,
  type News,
  type NewsKind,
  quiet,
  type Shown,
} from "./attentionMachine";
import {
  decisionsInSight,
  type NotificationText,
  type Told,
  textOfMany,
  textOfOne,
  wordsOfRequest,
} from "./attentionWords";

/** A notification as the desktop shows it. */
export interface NotificationCard extends NotificationText {
  id: string;
  /** Where the platform has buttons in notifications. */
  decisions: Decision[];
  sound: boolean;
  /** It waits for the person. */
  isUrgent: boolean;
}

/** Where a click leads. */
export type Place =
  | { kind: "app" }
  | { kind: "thread"; workspaceId: string; threadId: string; requestKey: string | null }
  | { kind: "run"; runId: string; questionId: string | null };

/** How a turn ended. */
export interface TurnEnd {
  threadId: string;
  /** null: it was never named. */
  turnId: string | null;
  /** `stopped`: by whoever pressed Stop. */
  outcome: "completed" | "failed" | "stopped";
  /** The answer, or why it failed. */
  words: string | null;
}

export interface AttentionOptions {
  clock: Clock;
  log: Log;
  settings(): NotificationSettings;
  /** Null: Holdfast does not know it (any more). */
  thread(threadId: string): { title: string; workspaceId: string; isAgent: boolean } | null;
  /** The thread and its parents, upwards. */
  lineOf(threadId: string): string[];
  hasWorkspace(workspaceId: string): boolean;
  hasRun(runId: string): boolean;
  /** What the window in front shows. */
  front(): Front;
  show(card: NotificationCard): void;
  withdraw(id: string): void;
  /** Brings up a window that shows it. */
  open(place: Place): void;
  /** Throws Fault when it cannot be answered like that. */
  answer(answer: Answer): "sent" | "gone";
  /** Says in Holdfast's windows what a click could not do. */
  tell(about: string, text: string, hint: string): void;
}

/** What goes with a piece of news besides what the machine needs. */
interface Matter {
  title: string;
  about: string | null;
  request: Request | null;
  question: CellQuestion | null;
}

/** Clicks on notifications that went away are still understood for as many. */
const mostPlaces = 200;

export class Attention {
  readonly #options: AttentionOptions;
  readonly #startedAtMs: number;
  #state: AttentionState = quiet;
  #moment: Timer | null = null;
  #finding: Timer | null = null;
  readonly #matters = new Map<string, Matter>();
  readonly #places = new Map<string, { place: Place; card: NotificationCard; request: Request | null }>();
  #saidCount = 0;
  #isOver = false;

  constructor(options: AttentionOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.nowMs();
  }

  turnEnded({ threadId, turnId, outcome, words }: TurnEnd): void {
    const thread = this.#options.thread(threadId);
    // What an agent has done is its parent's to tell, and who stopped a turn knows it.
    if (outcome === "stopped" || turnId === null || thread === null || thread.isAgent) return;
    const kind = outcome === "completed" ? "finished" : "failed";
    const news = this.#ofThread(`turn ${threadId} ${turnId}`, kind, threadId);
    this.#tell(news, { title: thread.title, about: words, request: null, question: null });
  }

  /** What the person sent could not be delivered. */
  cameBack(threadId: string, clientId: string, fault: Fault): void {
    const thread = this.#options.thread(threadId);
    // Who stopped it knows it.
    if (thread === null || fault.code === "stopped") return;
    const news = this.#ofThread(`message ${clientId}`, "failed", threadId);
    this.#tell(news, { title: thread.title, about: fault.message, request: null, question: null });
  }

  /** A turn of this thread has ended while Holdfast was not there. */
  endedAway(threadId: string): void {
    const thread = this.#options.thread(threadId);
    if (thread === null || thread.isAgent) return;
    const news = this.#ofThread(`away ${threadId}`, "finished", threadId);
    this.#keep(news, { title: thread.title, about: null, request: null, question: null });
    this.#take({ type: "ended away", news, with: this.#now() });
  }

  /** Everything that waits for an answer of the person now. */
  waits(requests: readonly Request[], questions: readonly CellQuestion[]): void {
    const news: News[] = [];
    const old = new Set<string>();
    for (const request of requests) {
      const { key, threadId, agentName, askedAtMs } = request;
      const each = this.#ofThread(`request ${key}`, "needsYou", threadId);
      news.push(each);
      if (askedAtMs < this.#startedAtMs) old.add(each.id);
      this.#keep(each, {
        title: this.#titleOfAsking(threadId, agentName),
        about: wordsOfRequest(request),
        request,
        question: null,
      });
    }
    for (const question of questions) {
      const { questionId, runId, scriptName } = question;
      const each: News = { id: `question ${questionId}`, kind: "needsYou", threads: [], runId };
      news.push(each);
      const about = `Asks: ${question.question}`;
      this.#keep(each, { title: scriptName, about, request: null, question });
    }
    this.#take({ type: "waiting", news, old, with: this.#now() });
  }

  /** A script tells the person something. */
  said({ title, text, runId }: { title: string; text: string; runId: string }): void {
    this.#saidCount += 1;
    const news: News = { id: `said ${runId} ${this.#saidCount}`, kind: "script", threads: [], runId };
    this.#tell(news, { title, about: text, request: null, question: null });
  }

  /** Another window is in front, or none, or it shows something else. */
  looked(): void {
    this.#take({ type: "looked", with: this.#now() });
  }

  clicked(id: string): void {
    const { place } = this.#places.get(id) ?? { place: { kind: "app" } as const };
    this.closed(id);
    this.go(place);
  }

  /** The person has taken a decision in the notification itself. */
  chosen(id: string, decisionId: string): void {
    const known = this.#places.get(id);
    this.closed(id);
    const { request } = known ?? { request: null };
    if (!known || request === null) return;
    try {
      if (this.#options.answer({ requestKey: request.key, decisionId }) === "gone") this.#sayGone(known.card);
    } catch (error) {
      const fault = asFault(error);
      this.#options.log.warn("a decision in a notification could not be sent", { error: fault.code });
      this.go(known.place);
      this.#options.tell("notification", fault.message, fault.hint ?? "Decide on the card.");
    }
  }

  closed(id: string): void {
    this.#take({ type: "closed", id, with: this.#now() });
  }

  /** To where a click leads, or as near as there is something. */
  go(place: Place): void {
    const { open, tell, thread, hasWorkspace, hasRun } = this.#options;
    switch (place.kind) {
      case "app":
        open(place);
        return;
      case "run":
        if (hasRun(place.runId)) {
          open(place);
          return;
        }
        open({ kind: "app" });
        tell("notification", "That run is not kept any more.", "The page of cells lists the runs that are.");
        return;
      case "thread":
        if (!hasWorkspace(place.workspaceId)) {
          open({ kind: "app" });
          const hint = "Open its folder as a workspace again; codex then lists the thread.";
          tell("notification", "The workspace of that thread has been removed from the list.", hint);
          return;
        }
        if (thread(place.threadId) === null && place.requestKey === null) {
          open({ kind: "app" });
          tell("notification", "That thread is not there any more.", "It has been deleted in codex.");
          return;
        }
        open(place);
        return;
      default:
        place satisfies never;
    }
  }

  /** Takes away what is shown: a click on it would find nobody. */
  dispose(): void {
    this.#isOver = true;
    this.#moment?.cancel();
    this.#finding?.cancel();
    for (const { id } of this.#state.shown) this.#options.withdraw(id);
    this.#state = { ...this.#state, shown: [], gathering: [] };
  }

  #tell(news: News, matter: Matter): void {
    this.#keep(news, matter);
    this.#take({ type: "happened", news, with: this.#now() });
  }

  #take(event: AttentionEvent): void {
    if (this.#isOver) return;
    const [state, effects] = decideAttention(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    this.#forgetMatters();
  }

  #perform(effect: AttentionEffect): void {
    const { clock } = this.#options;
    switch (effect.type) {
      case "show":
        this.#show(effect.shown);
        return;
      case "withdraw":
        this.#options.withdraw(effect.id);
        return;
      case "gather":
        this.#moment = clock.after(effect.afterMs, () =>
          this.#take({ type: "moment over", with: this.#now() }),
        );
        return;
      case "find":
        this.#finding?.cancel();
        this.#finding = clock.after(effect.afterMs, () =>
          this.#take({ type: "finding over", with: this.#now() }),
        );
        return;
      default:
        effect satisfies never;
    }
  }

  #show({ id, news, isSummary }: Shown): void {
    const { details, sound } = this.#options.settings();
    const told = news.map((each) => this.#told(each));
    const [one] = told;
    if (one === undefined) return;
    const isOne = told.length === 1 && !isSummary;
    const text = isOne ? textOfOne(one, details) : textOfMany(told, isSummary);
    const card: NotificationCard = {
      id,
      ...text,
      decisions: isOne ? decisionsInSight(one, text, details) : [],
      sound,
      isUrgent: told.some(({ kind }) => kind === "needsYou"),
    };
    this.#remember(id, { place: this.#placeOf(told), card, request: isOne ? one.request : null });
    this.#options.log.info("told the person", { id, kinds: told.map(({ kind }) => kind) });
    this.#options.show(card);
  }

  /** What is called otherwise by now is told by its new name. */
  #told(news: News): Told {
    const { threads } = news;
    const matter = this.#matters.get(news.id);
    const [threadId] = threads;
    const title = threadId === undefined ? matter?.title : this.#titleNow(threadId, matter);
    return {
      ...news,
      title: title ?? "Holdfast",
      about: matter?.about ?? null,
      request: matter?.request ?? null,
    };
  }

  #titleNow(threadId: string, matter: Matter | undefined): string | undefined {
    if (matter?.request) return this.#titleOfAsking(threadId, matter.request.agentName);
    return this.#options.thread(threadId)?.title ?? matter?.title;
  }

  /** Which agent asks, and within which thread. */
  #titleOfAsking(threadId: string, agentName: string | null): string {
    const { thread, lineOf } = this.#options;
    const title = thread(threadId)?.title;
    if (agentName === null) return title ?? "An agent";
    const top = lineOf(threadId).at(-1) ?? threadId;
    const within = top === threadId ? undefined : thread(top)?.title;
    return within === undefined ? agentName : `${agentName}, agent of ${within}`;
  }

  #placeOf(told: readonly Told[]): Place {
    const latest = told.at(-1);
    if (latest === undefined) return { kind: "app" };
    const [threadId] = latest.threads;
    if (latest.runId !== null) {
      const questionId = this.#matters.get(latest.id)?.question?.questionId ?? null;
      return { kind: "run", runId: latest.runId, questionId };
    }
    const workspaceId = threadId === undefined ? undefined : this.#workspaceOf(latest.threads);
    if (threadId === undefined || workspaceId === undefined) return { kind: "app" };
    return { kind: "thread", workspaceId, threadId, requestKey: latest.request?.key ?? null };
  }

  /** A child agent that asks as the first thing it does may not be listed yet; its parent is. */
  #workspaceOf(threads: readonly string[]): string | undefined {
    for (const threadId of threads) {
      const known = this.#options.thread(threadId);
      if (known) return known.workspaceId;
    }
    return undefined;
  }

  #sayGone(card: NotificationCard): void {
    const id = `${card.id} gone`;
    const body =
      "That request was no longer needed: it was answered elsewhere, or is over. Nothing was sent.";
    const said = { ...card, id, body, decisions: [], sound: false, isUrgent: false };
    const place = this.#places.get(card.id)?.place ?? { kind: "app" };
    this.#remember(id, { place, card: said, request: null });
    this.#options.show(said);
  }

  #remember(id: string, shown: { place: Place; card: NotificationCard; request: Request | null }): void {
    this.#places.delete(id);
    this.#places.set(id, shown);
    const [oldest] = this.#places.keys();
    if (this.#places.size > mostPlaces && oldest !== undefined) this.#places.delete(oldest);
  }

  #keep(news: News, matter: Matter): void {
    this.#matters.set(news.id, matter);
  }

  /** Only what is still to be shown needs its words. */
  #forgetMatters(): void {
    const { gathering, away } = this.#state;
    const needed = new Set(gathering.map(({ id }) => id));
    if (away.phase === "finding") for (const { id } of away.news) needed.add(id);
    for (const id of this.#matters.keys()) if (!needed.has(id)) this.#matters.delete(id);
  }

  #ofThread(id: string, kind: NewsKind, threadId: string): News {
    const line = this.#options.lineOf(threadId);
    return { id, kind, threads: line.length === 0 ? [threadId] : line, runId: null };
  }

  #now(): AttentionEvent["with"] {
    const { front, settings, clock } = this.#options;
    return { front: front(), settings: settings(), nowMs: clock.nowMs() };
  }
}
