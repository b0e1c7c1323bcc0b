// codex's list of threads, page by page for each workspace. codex owns the list; this only asks and keeps the cursors.
//
// Race: two listings of one workspace at once (shown, and "more" pressed): one after the other, and one refresh for all
// that ask while it is under way.

import type { FaultView } from "../../preload/contract/fault";
import type { ThreadHit } from "../../preload/contract/thread";
import type { ThreadSourceKind } from "../codex/protocol/v2/ThreadSourceKind";
import { asFault } from "../fault";
import { toFaultView } from "../faultView";
import type { Connection } from "../supervisor/connection";
import { recordOf, wordsOrNull } from "./loose";
import { type ThreadRows, titleOf } from "./threadRows";

const pageSize = 50;
const searchLimit = 30;
const listDeadlineMs = 20_000;
/** What a person started, wherever; child agents' threads come with their parents. */
const sourceKinds: ThreadSourceKind[] = ["cli", "vscode", "exec", "appServer", "unknown"];

export interface ListingState {
  listing: boolean;
  hasMore: boolean;
  fault: FaultView | null;
}

interface Listing {
  cursor: string | null;
  archivedCursor: string | null;
  archivedListed: boolean;
  state: ListingState;
  underWay: Promise<void> | null;
}

export interface ThreadListOptions {
  rows: ThreadRows;
  connect(workspaceId: string): Promise<Connection>;
  folder(workspaceId: string): string;
  profileId(workspaceId: string): string;
  isLive(threadId: string): boolean;
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

  /** The first page anew. What fails is the listing's fault; it is shown and not thrown. */
  refresh(workspaceId: string): Promise<void> {
    const listing = this.#listing(workspaceId);
    listing.underWay ??= this.#page(workspaceId, { archived: false, cursor: null }).finally(() => {
      listing.underWay = null;
    });
    return listing.underWay;
  }

  async more(workspaceId: string, archived: boolean): Promise<void> {
    const listing = this.#listing(workspaceId);
    await listing.underWay;
    const cursor = archived ? listing.archivedCursor : listing.cursor;
    if (cursor === null && (!archived || listing.archivedListed)) return;
    listing.underWay = this.#page(workspaceId, { archived, cursor }).finally(() => {
      listing.underWay = null;
    });
    await listing.underWay;
  }

  forget(workspaceId: string): void {
    this.#listings.delete(workspaceId);
  }

  async search(
    connection: Connection,
    query: string,
    workspaceOf: (cwd: string) => string | null,
  ): Promise<ThreadHit[]> {
    const answer = await connection.client.request(
      "thread/search",
      { searchTerm: query, limit: searchLimit, sourceKinds },
      { deadlineMs: listDeadlineMs },
    );
    return answer.data.flatMap((hit) => {
      const { thread } = hit;
      if (!thread) return [];
      return [
        {
          threadId: thread.id,
          workspaceId: workspaceOf(thread.cwd),
          title: titleOf(thread),
          snippet: wordsOrNull(recordOf(hit).snippet) ?? thread.preview ?? "",
          cwd: thread.cwd,
          updatedAtMs: (thread.updatedAt ?? 0) * 1000,
        },
      ];
    });
  }

  async #page(workspaceId: string, ask: { archived: boolean; cursor: string | null }): Promise<void> {
    const listing = this.#listing(workspaceId);
    this.#set(workspaceId, { listing: true });
    try {
      const connection = await this.#options.connect(workspaceId);
      const answer = await connection.client.request(
        "thread/list",
        {
          cwd: this.#options.folder(workspaceId),
          limit: pageSize,
          cursor: ask.cursor,
          sortKey: "updated_at",
          archived: ask.archived,
          // Without this codex lists only threads of the provider that is configured now.
          modelProviders: [],
          sourceKinds,
        },
        { deadlineMs: listDeadlineMs },
      );
      const { rows, profileId, isLive } = this.#options;
      rows.listed(workspaceId, profileId(workspaceId), answer.data, ask.archived, isLive);
      if (ask.archived) {
        listing.archivedCursor = answer.nextCursor;
        listing.archivedListed = true;
      } else {
        listing.cursor = answer.nextCursor;
      }
      this.#set(workspaceId, { listing: false, hasMore: listing.cursor !== null, fault: null });
    } catch (error) {
      this.#set(workspaceId, { listing: false, fault: toFaultView(asFault(error)) });
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
        archivedCursor: null,
        archivedListed: false,
        state: { listing: false, hasMore: false, fault: null },
        underWay: null,
      };
      this.#listings.set(workspaceId, listing);
    }
    return listing;
  }
}
