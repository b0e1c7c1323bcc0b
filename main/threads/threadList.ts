// codex's list of threads, page by page for each workspace. codex owns the list; this only asks and keeps the cursors.
//
// Races settled here:
// - Two listings of one workspace at once (shown, and "more" pressed twice): one after the other, and one refresh for all
//   that ask before it has begun.
// - The workspace is taken off the list while it is listed: the answer is dropped.

import type { FaultView } from "../../preload/contract/fault";
import type { KnownThread } from "../../preload/contract/finding";
import type { ThreadHit } from "../../preload/contract/thread";
import type { Thread } from "../codex/protocol/v2/Thread";
import type { ThreadSourceKind } from "../codex/protocol/v2/ThreadSourceKind";
import { asFault } from "../fault";
import { toFaultView } from "../faultView";
import { plainPiece } from "../plainText";
import type { Connection } from "../supervisor/connection";
import { recordOf, wordsOrNull } from "./loose";
import type { ThreadRows } from "./threadRows";
import { titleOf } from "./titles";

const pageSize = 50;
const searchLimit = 30;
const allPageSize = 100;
const listDeadlineMs = 20_000;
/** What a person started, wherever; child agents' threads come with their parents. */
const sourceKinds: ThreadSourceKind[] = ["cli", "vscode", "exec", "appServer", "unknown"];

export interface ListingState {
  listing: boolean;
  hasMore: boolean;
  /** Left out until archived threads have been asked for. */
  hasMoreArchived?: boolean;
  fault: FaultView | null;
}

interface Listing {
  cursor: string | null;
  /** Pages behind the first have been asked for: a refresh of the first does not lose the place. */
  isDeep: boolean;
  archivedCursor: string | null;
  archivedListed: boolean;
  /** codex has answered at least once. */
  isListed: boolean;
  state: ListingState;
  /** What is under way, and what waits for it. */
  last: Promise<void>;
  /** Waits for its turn. */
  refresh: Promise<void> | null;
}

export interface ThreadListOptions {
  rows: ThreadRows;
  connect(workspaceId: string): Promise<Connection>;
  folder(workspaceId: string): string;
  profileId(workspaceId: string): string;
  isLive(threadId: string): boolean;
  /** The rows of these threads are up to date with codex's list. */
  listed(threads: Thread[]): void;
  changed(workspaceId: string): void;
}

export class ThreadList {
  readonly #options: ThreadListOptions;
  readonly #listings = new Map<string, Listing>();

  constructor(options: ThreadListOptions) {
    this.#options = options;
  }

  state(workspaceId: string): ListingState {
    return this.#listing(workspaceId).state;
  }

  isListed(workspaceId: string): boolean {
    return this.#listing(workspaceId).isListed;
  }

  /** The first page anew. What fails is the listing's fault; it is shown and not thrown. */
  refresh(workspaceId: string): Promise<void> {
    const listing = this.#listing(workspaceId);
    listing.refresh ??= this.#after(listing, () => {
      listing.refresh = null;
      return this.#page(workspaceId, listing, { archived: false, cursor: null });
    });
    return listing.refresh;
  }

  more(workspaceId: string, archived: boolean): Promise<void> {
    const listing = this.#listing(workspaceId);
    return this.#after(listing, async () => {
      const cursor = archived ? listing.archivedCursor : listing.cursor;
      if (cursor === null && (!archived || listing.archivedListed)) return;
      await this.#page(workspaceId, listing, { archived, cursor });
    });
  }

  forget(workspaceId: string): void {
    this.#listings.delete(workspaceId);
  }

  /** A page of what codex finds in all threads, in their titles and in what was said, the newest first. */
  async search(
    connection: Connection,
    { query, archived, cursor }: { query: string; archived: boolean; cursor: string | null },
    workspaceOf: (cwd: string) => string | null,
  ): Promise<{ hits: ThreadHit[]; nextCursor: string | null }> {
    const answer = await connection.client.request(
      "thread/search",
      { searchTerm: query, limit: searchLimit, sortKey: "updated_at", archived, cursor, sourceKinds },
      { deadlineMs: listDeadlineMs },
    );
    const hits = answer.data.flatMap((hit) => {
      const { thread } = hit;
      if (!thread) return [];
      return [
        {
          threadId: thread.id,
          workspaceId: workspaceOf(thread.cwd),
          title: titleOf(thread),
          snippet: plainPiece(wordsOrNull(recordOf(hit).snippet) ?? thread.preview ?? "", query),
          cwd: thread.cwd,
          updatedAtMs: (thread.updatedAt ?? 0) * 1000,
          archived,
        },
      ];
    });
    return { hits, nextCursor: answer.nextCursor ?? null };
  }

  /** A page of codex's list without the bounds of a workspace. */
  async all(
    connection: Connection,
    { archived, cursor }: { archived: boolean; cursor: string | null },
    workspaceOf: (cwd: string) => string | null,
  ): Promise<{ threads: KnownThread[]; nextCursor: string | null }> {
    const answer = await connection.client.request(
      "thread/list",
      { limit: allPageSize, cursor, sortKey: "updated_at", archived, modelProviders: [], sourceKinds },
      { deadlineMs: listDeadlineMs },
    );
    const threads = answer.data.map((thread) => ({
      threadId: thread.id,
      workspaceId: workspaceOf(thread.cwd),
      title: titleOf(thread),
      cwd: thread.cwd,
      updatedAtMs: (thread.updatedAt ?? 0) * 1000,
      archived,
    }));
    return { threads, nextCursor: answer.nextCursor ?? null };
  }

  /**
   * Gives a thread that is further down than the workspace's list goes, or that a search has found, its row. Rejects as codex
   * does when it has no such thread.
   */
  async meet(workspaceId: string, threadId: string, archived: boolean): Promise<void> {
    const { rows, connect, profileId, isLive, listed } = this.#options;
    if (rows.find(threadId)) return;
    const connection = await connect(workspaceId);
    const askedAt = rows.mark;
    const { thread } = await connection.client.request(
      "thread/read",
      { threadId },
      { deadlineMs: listDeadlineMs },
    );
    const threads = [thread];
    rows.listed({ workspaceId, profileId: profileId(workspaceId), threads, archived, askedAt, isLive });
    listed(threads);
  }

  #after(listing: Listing, task: () => Promise<void>): Promise<void> {
    const done = listing.last.then(task);
    listing.last = done;
    return done;
  }

  /** Never rejects. */
  async #page(
    workspaceId: string,
    listing: Listing,
    { archived, cursor }: { archived: boolean; cursor: string | null },
  ): Promise<void> {
    const { rows, connect, folder, profileId, isLive, listed } = this.#options;
    const isCurrent = () => this.#listings.get(workspaceId) === listing;
    if (!isCurrent()) return;
    this.#set(workspaceId, { listing: true });
    try {
      const connection = await connect(workspaceId);
      const askedAt = rows.mark;
      const answer = await connection.client.request(
        "thread/list",
        {
          cwd: folder(workspaceId),
          limit: pageSize,
          cursor,
          sortKey: "updated_at",
          archived,
          // Without this codex lists only threads of the provider that is configured now.
          modelProviders: [],
          sourceKinds,
        },
        { deadlineMs: listDeadlineMs },
      );
      if (!isCurrent()) return;
      listing.isListed = true;
      const threads = answer.data;
      rows.listed({ workspaceId, profileId: profileId(workspaceId), threads, archived, askedAt, isLive });
      if (archived) {
        listing.archivedCursor = answer.nextCursor;
        listing.archivedListed = true;
      } else if (cursor !== null || !listing.isDeep) {
        listing.isDeep = cursor !== null;
        listing.cursor = answer.nextCursor;
      }
      listed(threads);
      this.#set(workspaceId, {
        listing: false,
        hasMore: listing.cursor !== null,
        ...(listing.archivedListed ? { hasMoreArchived: listing.archivedCursor !== null } : {}),
        fault: null,
      });
    } catch (error) {
      if (isCurrent()) this.#set(workspaceId, { listing: false, fault: toFaultView(asFault(error)) });
    }
  }

  #set(workspaceId: string, state: Partial<ListingState>): void {
    const listing = this.#listing(workspaceId);
    listing.state = { ...listing.state, ...state };
    this.#options.changed(workspaceId);
  }

  #listing(workspaceId: string): Listing {
    let listing = this.#listings.get(workspaceId);
    if (!listing) {
      listing = {
        cursor: null,
        isDeep: false,
        archivedCursor: null,
        archivedListed: false,
        isListed: false,
        state: { listing: false, hasMore: false, fault: null },
        last: Promise.resolve(),
        refresh: null,
      };
      this.#listings.set(workspaceId, listing);
    }
    return listing;
  }
}
