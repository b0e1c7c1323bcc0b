import { describe, expect, it } from "vitest";
import type { ThreadRow } from "../../preload/contract/app";
import type { WorktreeStartView } from "../../preload/contract/worktrees";
import { threadRow, workspace } from "../state/testThread";
import { type ListInput, type ListRow, listRows, matcher, matchRanges } from "./rows";

function input(rows: ThreadRow[], part: Partial<ListInput> = {}): ListInput {
  return {
    workspaces: [workspace("w")],
    rows: new Map(rows.map((row) => [row.threadId, row])),
    starts: [],
    collapsed: [],
    archivedOf: new Set(),
    filter: "",
    hits: null,
    orderMs: (row) => row.updatedAtMs,
    ...part,
  };
}

const inW = (id: string, part: Partial<ThreadRow> = {}) => threadRow(id, { workspaceId: "w", ...part });

/** Rows in short: "w", "  thread", "    child", "(more)". */
function drawn(rows: readonly ListRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === "workspace") return row.workspaceId;
    if (row.kind === "thread") return `${"  ".repeat(row.level - 1)}${row.threadId}`;
    if (row.kind === "start") return `  start ${row.startId}`;
    if (row.kind === "hit") return `hit ${row.hit.threadId}`;
    if (row.kind === "search") return "(search)";
    if (row.kind === "note") return `(${row.note})`;
    if (row.kind === "heading") return `[${row.heading}]`;
    return row.archived ? "(more archived)" : "(more)";
  });
}

const hit = (threadId: string) => ({
  threadId,
  workspaceId: null,
  title: threadId,
  snippet: "",
  cwd: "/",
  updatedAtMs: 0,
  archived: false,
});

describe("worktrees", () => {
  it("come right after their workspace, those of a workspace that is not listed in their own place", () => {
    const of = (parentWorkspaceId: string) => ({ parentWorkspaceId });
    const workspaces = [
      workspace("w"),
      workspace("lost", of("not listed")),
      workspace("other"),
      workspace("first", of("w")),
      workspace("second", of("w")),
    ];
    const listed = listRows(
      input([inW("t")], { workspaces, collapsed: ["lost", "other", "first", "second"] }),
    );
    expect(drawn(listed)).toEqual(["w", "  t", "first", "second", "lost", "other"]);
    expect(listed.flatMap((row) => (row.kind === "workspace" ? [row.position] : []))).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it("are folded away with their repository, and found by the filter all the same", () => {
    const workspaces = [workspace("w"), workspace("tree", { parentWorkspaceId: "w" }), workspace("other")];
    const rows = [inW("t"), threadRow("u", { workspaceId: "tree", title: "Deep" })];
    const folded = input(rows, { workspaces, collapsed: ["w", "other"] });
    const listed = listRows(folded);
    expect(drawn(listed)).toEqual(["w", "other"]);
    expect(listed.map((row) => "setSize" in row && row.setSize)).toEqual([2, 2]);
    expect(drawn(listRows({ ...folded, filter: "Deep" }))).toEqual(["tree", "  u", "(search)"]);
    expect(drawn(listRows({ ...folded, collapsed: ["other"] }))).toEqual([
      "w",
      "  t",
      "tree",
      "  u",
      "other",
    ]);
  });
});

describe("the list", () => {
  it("has the newest threads first, and children under their parent in the order of their making", () => {
    const rows = listRows(
      input([
        inW("old", { updatedAtMs: 1 }),
        inW("new", { updatedAtMs: 3 }),
        inW("child-b", { parentThreadId: "old", updatedAtMs: 9 }),
        inW("child-a", { parentThreadId: "old", updatedAtMs: 2 }),
        inW("grandchild", { parentThreadId: "child-a" }),
      ]),
    );
    expect(drawn(rows)).toEqual(["w", "  new", "  old", "    child-a", "      grandchild", "    child-b"]);
  });

  it("says of each row where it stands", () => {
    const rows = listRows(input([inW("a", { updatedAtMs: 2 }), inW("b"), inW("c", { parentThreadId: "a" })]));
    expect(rows[1]).toMatchObject({ level: 2, position: 1, setSize: 2, children: 1 });
    expect(rows[2]).toMatchObject({ level: 3, position: 1, setSize: 1 });
    expect(rows[3]).toMatchObject({ level: 2, position: 2, setSize: 2 });
  });

  it("never shows a child as a thread of its own, nor follows a circle", () => {
    const rows = listRows(
      input([
        inW("orphan", { parentThreadId: "not listed" }),
        inW("one", { parentThreadId: "two" }),
        inW("two", { parentThreadId: "one" }),
      ]),
    );
    expect(drawn(rows)).toEqual(["w", "(empty)"]);
  });

  it("keeps the order of rows with the same time", () => {
    const forth = listRows(input([inW("a"), inW("b")]));
    const back = listRows(input([inW("b"), inW("a")]));
    expect(drawn(forth)).toEqual(drawn(back));
  });

  it("holds an order that is held back", () => {
    const rows = [inW("a", { updatedAtMs: 9 }), inW("b", { updatedAtMs: 2 })];
    const held = new Map([
      ["a", 1],
      ["b", 2],
    ]);
    const drawnRows = listRows(input(rows, { orderMs: (row) => held.get(row.threadId) ?? row.updatedAtMs }));
    expect(drawn(drawnRows)).toEqual(["w", "  b", "  a"]);
  });

  it("shows nothing of a collapsed workspace but its head", () => {
    const rows = listRows(input([inW("a")], { collapsed: ["w"] }));
    expect(drawn(rows)).toEqual(["w"]);
    expect(rows[0]).toMatchObject({ expanded: false });
  });

  it.each([
    ["empty", {}],
    ["listing", { listing: true }],
    ["gone", { gone: true }],
    ["fault", { listFault: { code: "x", message: "x", retryable: true } }],
  ] as const)("says that a workspace is %s", (note, part) => {
    expect(drawn(listRows(input([], { workspaces: [workspace("w", part)] })))).toEqual(["w", `(${note})`]);
  });

  it("offers more when codex has more", () => {
    const workspaces = [workspace("w", { hasMore: true })];
    expect(drawn(listRows(input([inW("a")], { workspaces })))).toEqual(["w", "  a", "(more)"]);
  });

  it("lists archived threads only when asked, and apart", () => {
    const rows = [inW("a"), inW("x", { archived: true })];
    expect(drawn(listRows(input(rows)))).toEqual(["w", "  a"]);
    expect(drawn(listRows(input(rows, { archivedOf: new Set(["w"]) })))).toEqual([
      "w",
      "  a",
      "[archived]",
      "  x",
      "(more archived)",
    ]);
    const workspaces = [workspace("w", { hasMoreArchived: false })];
    expect(drawn(listRows(input(rows, { archivedOf: new Set(["w"]), workspaces })))).not.toContain(
      "(more archived)",
    );
  });
});

describe("a filtered list", () => {
  const rows = [
    inW("login", { title: "Fix the login" }),
    inW("retry", { title: "Explain the retry policy" }),
    inW("child", { title: "reproduce login", parentThreadId: "retry" }),
    inW("archived", { title: "Login, first try", archived: true }),
  ];

  it("opens everything and keeps a parent for its child's sake", () => {
    const list = listRows(input(rows, { filter: "login", collapsed: ["w"] }));
    expect(drawn(list)).toEqual([
      "w",
      "  retry",
      "    child",
      "  login",
      "[archived]",
      "  archived",
      "(search)",
    ]);
  });

  it("leaves out workspaces without a match", () => {
    const workspaces = [workspace("w"), workspace("other")];
    expect(drawn(listRows(input(rows, { filter: "retry", workspaces })))).toEqual([
      "w",
      "  retry",
      "    child",
      "(search)",
    ]);
  });

  it("finds a thread by its workspace, its folder, its branch and the repository of its worktree", () => {
    const workspaces = [
      workspace("w", {
        name: "Atlas",
        path: "/home/ada/limiter",
        git: { branch: "main", isWorktree: false },
      }),
      workspace("wt", { name: "fix-burst", parentWorkspaceId: "w" }),
      workspace("other", { name: "borealis" }),
    ];
    const threads = [
      inW("a", { title: "Fix the login", updatedAtMs: 2 }),
      inW("b", { title: "Explain it" }),
      threadRow("c", { workspaceId: "wt", title: "Fix it" }),
      threadRow("d", { workspaceId: "other", title: "Fix it" }),
    ];
    const found = (filter: string) => drawn(listRows(input(threads, { filter, workspaces }))).slice(0, -1);
    expect(found("atlas")).toEqual(["w", "  a", "  b", "wt", "  c"]);
    expect(found("limiter")).toEqual(["w", "  a", "  b"]);
    expect(found("burst")).toEqual(["wt", "  c"]);
    expect(found("main login")).toEqual(["w", "  a"]);
    expect(found("fix atlas")).toEqual(["w", "  a", "wt", "  c"]);
    expect(drawn(listRows(input([], { filter: "borealis", hits: [], workspaces })))).toEqual([
      "other",
      "(search)",
    ]);
  });

  it("finds an agent by what it was asked and what it said last", () => {
    const agent = {
      name: "scout",
      role: null,
      task: "Look into the limiter",
      lastMessage: "The burst is fifty.",
      tokens: null,
      acceptsMessages: null,
      outcome: null,
    };
    const threads = [inW("top", { title: "Plan" }), inW("child", { parentThreadId: "top", agent })];
    for (const filter of ["burst fifty", "limiter", "scout"])
      expect(drawn(listRows(input(threads, { filter })))).toEqual(["w", "  top", "    child", "(search)"]);
  });

  it("adds what codex found, but nothing twice", () => {
    const list = listRows(input(rows, { filter: "login", hits: [hit("login"), hit("elsewhere")] }));
    expect(drawn(list).slice(-3)).toEqual(["[content]", "hit elsewhere", "(search)"]);
    expect(list.at(-1)).toMatchObject({ query: "login" });
  });

  it("says that there is nothing only once codex has answered", () => {
    expect(drawn(listRows(input(rows, { filter: "zzz" })))).toEqual(["(search)"]);
    expect(drawn(listRows(input(rows, { filter: "zzz", hits: [] })))).toEqual(["[nothing]", "(search)"]);
  });

  it("is as it was for blanks", () => {
    expect(drawn(listRows(input(rows, { filter: "  " })))).toContain("  login");
  });
});

it("matches words in any order, and marks them without overlap", () => {
  expect(matcher("page fix")()("Fix the login page")).toBe(true);
  expect(matcher("page fixed")()("Fix the login page")).toBe(false);
  expect(matcher("page atlas")("Atlas")("Fix the login page")).toBe(true);
  expect(matchRanges("Fix the login", "login fi")).toEqual([
    [0, 2],
    [8, 13],
  ]);
  expect(matchRanges("banana", "ana nan")).toEqual([[1, 5]]);
});

describe("a thread that is still to begin in a worktree", () => {
  const start: WorktreeStartView = {
    startId: "s",
    threadKey: "new:wt:s",
    workspaceId: "w",
    worktreeWorkspaceId: "wt",
    branch: "fix",
    title: "Fix it",
    text: "Fix it",
    attachments: [],
    hasMessage: true,
    hasSetup: true,
    state: { phase: "making" },
  };
  const at = (part: Partial<ListInput> = {}, of: Partial<WorktreeStartView> = {}) =>
    drawn(listRows(input([inW("a")], { starts: [{ ...start, ...of }], ...part })));

  it("stands before the threads of where it was written, until its worktree is listed", () => {
    expect(at()).toEqual(["w", "  start s", "  a"]);
    const workspaces = [workspace("w"), workspace("wt", { parentWorkspaceId: "w" })];
    expect(at({ workspaces })).toEqual(["w", "  a", "wt", "  start s"]);
  });

  it("is not listed when its message is a draft again, and is found by its title", () => {
    expect(at({}, { state: { phase: "returned", fault: null } })).toEqual(["w", "  a"]);
    expect(at({ filter: "fix" })).toEqual(["w", "  start s", "(search)"]);
    expect(at({ filter: "other", hits: [] })).toEqual(["[nothing]", "(search)"]);
  });
});
