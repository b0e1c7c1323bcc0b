// Answers what a window asks to find something.

import { keptHits, withKeptHits } from "../threads/keptHits";
import { upToDate } from "../threads/keptItem";
import { ListLooks } from "../threads/listLooks";
import { findEditors } from "../workspaces/editor/findProgram";
import { openInEditor } from "../workspaces/editor/openInEditor";
import { presentFiles, readWorkspaceFile } from "../workspaces/readFile";
import type { BackendCall, Handlers } from "./backend";
import type { Core } from "./core";

type FindingCall = Extract<
  BackendCall,
  | "editor.find"
  | "editor.open"
  | "threads.search"
  | "threads.listAll"
  | "threads.lookAgain"
  | "threads.meet"
  | "files.read"
  | "files.present"
  | "exports.next"
  | "exports.cancel"
>;

const done = { done: true } as const;

export function findingHandlers(core: Core): Handlers<FindingCall> {
  const { threads, workspaces, exports } = core;
  const looks = new ListLooks({
    clock: core.clock,
    list: threads.list,
    connected: () => workspaces.list().flatMap(({ id }) => (core.sessions.connection(id) === null ? [] : id)),
  });
  const kept = {
    items: {
      search: (words: string, limit: number) =>
        upToDate(threads.all, core.ledger.runningItems).search(words, limit),
    },
    threads: core.ledger.threads,
    folder: (workspaceId: string) => workspaces.list().find(({ id }) => id === workspaceId)?.path ?? null,
  };
  const workspaceOf = (cwd: string) => workspaces.idOfPath(cwd);
  return {
    async "threads.search"({ query, archived = false, cursor = null }) {
      const connection = await core.anyUserConnection();
      const found = await threads.list.search(connection, { query, archived, cursor }, workspaceOf);
      if (cursor !== null) return found;
      return { ...found, hits: withKeptHits(found.hits, keptHits(kept, query, archived)) };
    },
    async "threads.listAll"(page) {
      return threads.list.all(await core.anyUserConnection(), page, workspaceOf);
    },
    async "threads.lookAgain"() {
      looks.look();
      return done;
    },
    async "threads.meet"({ workspaceId, threadId, archived }) {
      await threads.list.meet(workspaceId, threadId, archived);
      return done;
    },
    async "files.read"({ workspaceId, path, fromByte }) {
      return readWorkspaceFile(await workspaces.presentFolder(workspaceId), path, fromByte);
    },
    async "files.present"({ workspaceId, paths }) {
      return { present: await presentFiles(await workspaces.presentFolder(workspaceId), paths) };
    },
    async "editor.find"() {
      return { editors: await findEditors(await core.locator.variables()) };
    },
    async "editor.open"({ workspaceId, path, line }) {
      const folder = workspaceId === null ? null : await workspaces.presentFolder(workspaceId);
      const variables = await core.locator.variables();
      const { clock, log, settings } = core;
      await openInEditor({ folder, path, line }, { command: settings.editor, variables, clock, log });
      return done;
    },
    async "exports.next"({ exportId, seen }) {
      return exports.next(exportId, seen);
    },
    async "exports.cancel"({ exportId }) {
      await exports.cancel(exportId);
      return done;
    },
  };
}
