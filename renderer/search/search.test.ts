import { describe, expect, it } from "vitest";
import type { ThreadHit } from "../../preload/contract/thread";
import { nothingPaged, type Page, type Paged, PagedList } from "./pagedList";
import { nextStop, type ResultRow, resultRows } from "./resultRows";

const hit = (threadId: string, part: Partial<ThreadHit> = {}): ThreadHit => ({
  threadId,
  workspaceId: null,
  title: threadId,
  snippet: "",
  cwd: "/work/atlas",
  updatedAtMs: 0,
  archived: false,
  ...part,
});

/** Answers by hand, in whatever order. */
function setUp() {
  const asked: { cursor: string | null; answer(page: Page<string>): void; fail(): void }[] = [];
  const list = new PagedList<string>(
    (item) => item,
    () => {},
  );
  const load = (cursor: string | null) =>
    new Promise<Page<string>>((resolve, reject) =>
      asked.push({ cursor, answer: resolve, fail: () => reject(new Error("No.")) }),
    );
  return { list, load, asked };
}

describe("a list in pages", () => {
  it("goes on from the cursor, one page at a time, and has nothing twice", async () => {
    const { list, load, asked } = setUp();
    const first = list.begin(load);
    expect(list.state.loading).toBe(true);
    asked[0]?.answer({ items: ["a", "b"], nextCursor: "1" });
    await first;
    const more = list.more();
    await list.more();
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, "1"]);
    asked[1]?.answer({ items: ["b", "c"], nextCursor: null });
    await more;
    expect(list.state).toEqual({
      items: ["a", "b", "c"],
      isOld: false,
      loading: false,
      hasMore: false,
      fault: null,
    });
    await list.more();
    expect(asked).toHaveLength(2);
  });

  it("keeps what it had until something else has been answered, and ignores late answers", async () => {
    const { list, load, asked } = setUp();
    const first = list.begin(load);
    asked[0]?.answer({ items: ["a"], nextCursor: null });
    await first;
    const second = list.begin(load);
    const third = list.begin(load);
    expect(list.state).toMatchObject({ items: ["a"], isOld: true, loading: true });
    asked[2]?.answer({ items: ["c"], nextCursor: null });
    await third;
    asked[1]?.answer({ items: ["late"], nextCursor: null });
    await second;
    expect(list.state).toMatchObject({ items: ["c"], isOld: false });
  });

  it("says what went wrong, and goes on from there", async () => {
    const { list, load, asked } = setUp();
    const first = list.begin(load);
    asked[0]?.fail();
    await first;
    expect(list.state).toMatchObject({ items: [], loading: false, fault: { message: "No." } });
    const again = list.more();
    asked[1]?.answer({ items: ["a"], nextCursor: null });
    await again;
    expect(list.state).toMatchObject({ items: ["a"], fault: null });
  });

  it("fetches as many as are wanted by itself", async () => {
    const { list } = setUp();
    let page = 0;
    await list.begin(async () => ({ items: [`${page}`], nextCursor: String(++page) }), 4);
    expect(list.state.items).toEqual(["0", "1", "2", "3"]);
    expect(list.state.hasMore).toBe(true);
  });
});

const paged = (items: ThreadHit[], part: Partial<Paged<ThreadHit>> = {}) => ({
  ...nothingPaged<ThreadHit>(),
  items,
  ...part,
});
const nameOf = (id: string) => (id === "w" ? "Atlas" : null);
const drawn = (rows: ResultRow[]) =>
  rows.map((row) => {
    if (row.kind === "heading" || row.kind === "nothing") return `[${row.words}]`;
    if (row.kind === "folder")
      return `${row.expanded ? "v" : ">"} ${row.name} ${row.count}${row.atLeast ? "+" : ""}`;
    if (row.kind === "hit") return `${row.hit.threadId} in ${row.where}`;
    return row.kind === "thread" ? `  ${row.hit.threadId}` : `(${row.kind} ${row.which})`;
  });

describe("the rows", () => {
  it("of a search are those found, then those of the archive", () => {
    const rows = resultRows({
      query: "x",
      active: paged([hit("a", { workspaceId: "w" }), hit("b")], { hasMore: true }),
      archived: paged([hit("c", { archived: true })]),
      folded: new Set(),
      nameOf,
    });
    expect(drawn(rows)).toEqual([
      "a in Atlas",
      "b in atlas",
      "(more active)",
      "[In the archive]",
      "c in atlas",
    ]);
    expect(nextStop(rows, -1, 1)).toBe(0);
    expect(nextStop(rows, 2, 1)).toBe(4);
    expect(nextStop(rows, 0, -1)).toBe(0);
  });

  it("without a search are all threads by folder, the newest folder first, with their numbers", () => {
    const rows = resultRows({
      query: "",
      active: paged([hit("new", { cwd: "/b", updatedAtMs: 9 }), hit("old", { cwd: "/a", updatedAtMs: 1 })]),
      archived: paged([hit("put away", { cwd: "/a", updatedAtMs: 5, archived: true })]),
      folded: new Set(["/b"]),
      nameOf,
    });
    expect(drawn(rows)).toEqual(["> b 1", "v a 2", "  put away", "  old"]);
  });

  it("say that there is nothing only when there is nothing to come", () => {
    const input = { query: "x", archived: paged([]), folded: new Set<string>(), nameOf };
    expect(resultRows({ ...input, active: paged([], { loading: true }) })).toEqual([]);
    expect(drawn(resultRows({ ...input, active: paged([]) }))).toEqual(["[No thread has these words.]"]);
    const fault = { code: "x", message: "No.", retryable: true };
    expect(drawn(resultRows({ ...input, active: paged([], { fault }) }))).toEqual(["(fault active)"]);
  });
});
