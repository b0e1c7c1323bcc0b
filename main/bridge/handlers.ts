// Answers the calls of a window by asking the parts. Nothing is decided here.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findLocalModels } from "../accounts/localModels";
import { effectiveConfig } from "../threads/effectiveConfig";
import { fullItemText } from "../threads/fullItemText";
import { usualSettings } from "../threads/usualSettings";
import type { Backend } from "./backend";
import { cellHandlers } from "./cellHandlers";
import { changesHandlers } from "./changesHandlers";
import { CodexPage } from "./codexPage/codexPage";
import { codexPageHandlers } from "./codexPageHandlers";
import { commentHandlers } from "./commentHandlers";
import type { Core } from "./core";
import { Diagnostics } from "./diagnostics/diagnostics";
import type { WindowFacts } from "./diagnostics/rawDiagnostics";
import { diagnosticsHandlers } from "./diagnosticsHandlers";
import { environmentHandlers } from "./environmentHandlers";
import { findingHandlers } from "./findingHandlers";
import { chooseCodex, settingsHandlers } from "./settingsHandlers";
import { sharing } from "./sharing";
import { terminalHandlers } from "./terminalHandlers";
import { worktreeHandlers } from "./worktreeHandlers";

const done = { done: true } as const;
const modelsDeadlineMs = 15_000;
const searchDeadlineMs = 10_000;

export function makeBackend(
  core: Core,
  options: {
    home: { path: string; logs: string; mainLog: string };
    environment: Record<string, string | undefined>;
    startedFromTerminal: boolean;
    openLink(url: string): Promise<void>;
    windows(): WindowFacts[];
  },
): Backend {
  const { threads, sessions, workspaces, account, ledger, app } = core;
  const { environment, home } = options;
  const login = () => core.locator.loginEnvironment;
  const redact = sharing({ homeFolder: app.state.home, environment, login });
  const codexPage = new CodexPage({
    connect: (workspaceId) => sessions.need(workspaceId),
    ownConnection: () => core.anyUserConnection(),
    folder: (workspaceId) => workspaces.get(workspaceId).path,
    loadedThread: (workspaceId, connection) =>
      threads.all.find((each) => each.workspaceId === workspaceId && each.loadedOn === connection)
        ?.threadId ?? null,
    openLink: options.openLink,
    redact,
  });
  return {
    topics: {
      openApp: (listener) => app.open(listener),
      openThread: (key, listener) => threads.open(key, listener),
      openRun: (runId, listener) => core.cells.open(runId, listener),
      openTerminal: (terminalId, listener) => core.terminals.open(terminalId, listener),
    },
    handlers: {
      ...cellHandlers(core.cells),
      ...worktreeHandlers(core),
      ...findingHandlers(core),
      ...environmentHandlers(core.environments),
      ...terminalHandlers(core.terminals),
      ...commentHandlers(threads),
      ...changesHandlers(core.changes),
      ...settingsHandlers(core, home.path),
      ...codexPageHandlers(codexPage, core.limits),
      ...diagnosticsHandlers(new Diagnostics({ ...options, core, redact }), {
        data: home.path,
        logs: home.logs,
      }),
      async "workspaces.open"({ path }) {
        const workspace = await workspaces.open(path);
        threads.rows.remember(workspace.id);
        return { workspaceId: workspace.id };
      },
      async "workspaces.rename"({ workspaceId, name }) {
        workspaces.rename(workspaceId, name);
        return done;
      },
      async "workspaces.remove"({ workspaceId }) {
        await core.removeWorkspace(workspaceId);
        return done;
      },
      async "workspaces.show"({ workspaceId }) {
        await core.show(workspaceId);
        return done;
      },
      async "workspaces.restartSession"({ workspaceId, force }) {
        await core.restartSession(workspaceId, force);
        return done;
      },

      async "threads.loadMore"({ workspaceId, archived }) {
        await threads.list.more(workspaceId, archived);
        return done;
      },
      async "threads.compose"({ workspaceId }) {
        workspaces.get(workspaceId);
        return { threadKey: threads.compose(workspaceId) };
      },
      async "threads.rename"({ threadKey, title }) {
        await threads.actions.rename(threadKey, title);
        return done;
      },
      async "threads.archive"({ threadKey, interruptFirst }) {
        await threads.actions.archive(threadKey, interruptFirst);
        return done;
      },
      async "threads.unarchive"({ threadKey }) {
        await threads.actions.unarchive(threadKey);
        return done;
      },
      async "threads.delete"({ threadKey }) {
        await threads.actions.delete(threadKey);
        return done;
      },
      async "threads.fork"({ threadKey, lastTurnId }) {
        return { threadKey: await threads.actions.fork(threadKey, lastTurnId) };
      },
      async "threads.revert"({ threadKey, beforeTurnId }) {
        await threads.actions.revert(threadKey, beforeTurnId);
        return done;
      },
      async "threads.review"({ threadKey, target }) {
        await threads.actions.review(threadKey, target);
        return done;
      },
      async "workspaces.reviewTargets"({ workspaceId }) {
        return await workspaces.reviewTargets(workspaceId);
      },
      async "threads.loadOlder"({ threadKey }) {
        await threads.runtime(threadKey).loadOlder();
        return done;
      },
      async "threads.reload"({ threadKey }) {
        await threads.runtime(threadKey).reload();
        return done;
      },
      async "threads.markRead"({ threadKey }) {
        threads.markRead(threadKey);
        return done;
      },
      async "threads.setSettings"({ threadKey, settings }) {
        await threads.setSettings(threadKey, settings);
        return done;
      },
      async "threads.setEnvironment"({ threadKey, environment }) {
        await threads.environments.choose(threadKey, environment);
        return done;
      },
      async "threads.lastFolderIn"({ workspaceId, environmentId }) {
        return { folder: threads.environments.lastFolderIn(workspaceId, environmentId) };
      },
      async "threads.compact"({ threadKey }) {
        await threads.actions.compact(threadKey);
        return done;
      },

      async "messages.send"({ threadKey, seen, afterTurnId, ...message }) {
        if (afterTurnId !== undefined)
          threads.actions.checkUnanswered(threadKey, afterTurnId, message.clientId);
        threads.send(threadKey, message, seen ?? "nothing");
        return { draft: threads.drafts.leftOf(threadKey) };
      },
      async "messages.resend"({ threadKey, clientId }) {
        threads.runtime(threadKey).delivery.resend(clientId);
        return done;
      },
      async "messages.takeBack"({ threadKey, clientId }) {
        // In one step on disk: at no moment is the text neither a message nor a draft.
        return ledger.transaction(() => threads.runtime(threadKey).delivery.takeBack(clientId));
      },
      async "followUps.edit"({ threadKey, clientId, text, attachments }) {
        return { outcome: await threads.followUps(threadKey).edit(clientId, { text, attachments }) };
      },
      async "followUps.move"({ threadKey, clientId, beforeClientId }) {
        return { outcome: await threads.followUps(threadKey).move(clientId, beforeClientId) };
      },
      async "followUps.delete"({ threadKey, clientId }) {
        return { outcome: await threads.followUps(threadKey).delete(clientId) };
      },
      async "followUps.sendNow"({ threadKey, clientId }) {
        return { outcome: await threads.followUps(threadKey).sendNow(clientId) };
      },
      async "followUps.resume"({ threadKey }) {
        await threads.followUps(threadKey).resume();
        return done;
      },
      async "turns.stop"({ threadKey }) {
        await threads.runtime(threadKey).stop();
        return done;
      },
      async "commands.stop"({ threadKey, itemId }) {
        await threads.runtime(threadKey).leftRunning.stop(itemId);
        return done;
      },
      async "turns.retry"({ threadKey }) {
        await threads.actions.retry(threadKey);
        return done;
      },
      async "requests.answer"(answer) {
        return { outcome: threads.answer(answer) };
      },

      async "drafts.get"({ threadKey }) {
        return threads.drafts.get(threadKey);
      },
      async "drafts.put"({ threadKey, ...change }) {
        return threads.drafts.put(threadKey, change);
      },
      async "drafts.next"({ threadKey, seen }) {
        return { draft: await threads.drafts.next(threadKey, seen) };
      },
      async "drafts.park"({ threadKey }) {
        const { text, draft } = threads.drafts.park(threadKey);
        const path = join(home.path, `parked-draft-${Date.now()}.txt`);
        await writeFile(path, text, { mode: 0o600 });
        return { path, draft };
      },

      async "files.search"({ workspaceId, query }) {
        const connection = await sessions.need(workspaceId);
        const answer = await connection.client.request(
          "fuzzyFileSearch",
          { query, roots: [workspaces.get(workspaceId).path], cancellationToken: `holdfast-${workspaceId}` },
          { deadlineMs: searchDeadlineMs },
        );
        const files = answer.files.map((file) => ({
          path: file.path,
          name: file.file_name,
          indices: file.indices ?? [],
        }));
        return { files };
      },
      async "items.fullText"({ threadKey, itemId, part }) {
        return fullItemText(threads.runtime(threadKey), itemId, part);
      },
      async "threads.usualSettings"({ workspaceId }) {
        const connection = await sessions.need(workspaceId);
        const { path, parentWorkspaceId: parentId } = workspaces.get(workspaceId);
        const paths = [path, ...(parentId === null ? [] : [workspaces.get(parentId).path])];
        const config = await effectiveConfig(connection, path);
        return { settings: usualSettings(config, { paths, isWindows: process.platform === "win32" }) };
      },
      async "models.list"({ workspaceId }) {
        const connection = await sessions.need(workspaceId);
        const answer = await connection.client.request("model/list", {}, { deadlineMs: modelsDeadlineMs });
        const models = answer.data
          .filter((model) => !model.hidden)
          .map((model) => ({
            id: model.model,
            name: model.displayName,
            description: model.description,
            efforts: model.supportedReasoningEfforts.map((effort) => ({
              id: effort.reasoningEffort,
              description: effort.description,
            })),
            defaultEffort: model.defaultReasoningEffort,
            isDefault: model.isDefault,
            acceptsImages: model.inputModalities.includes("image"),
          }));
        return { models };
      },

      async "cleanups.retry"({ id }) {
        return { left: (await core.supervision.cleanups.retry(id)) !== null };
      },
      async "cleanups.retryAll"({ workspaceId }) {
        return { left: await core.supervision.retryCleanups(workspaceId) };
      },

      async "mcp.reconnect"({ threadKey }) {
        await threads.actions.reconnectMcp(threadKey);
        return done;
      },
      async "mcp.login"({ threadKey, name }) {
        await options.openLink(await threads.actions.loginMcp(threadKey, name));
        return done;
      },

      async "account.refresh"() {
        await account.refresh();
        return done;
      },
      async "account.signInWithChatGpt"() {
        account.signInWithChatGpt();
        return done;
      },
      async "account.signInWithApiKey"({ apiKey }) {
        await account.signInWithApiKey(apiKey);
        return done;
      },
      async "account.cancelSignIn"() {
        account.cancelSignIn();
        return done;
      },
      async "account.signOut"() {
        await account.signOut();
        return done;
      },
      async "localModels.find"() {
        return { servers: await findLocalModels({ environment, clock: core.clock }) };
      },

      async "codex.recheck"({ path }) {
        if (path !== undefined) await chooseCodex(core, path);
        const tried = await core.locator.recheck();
        if (app.state.codex.state === "found") await account.refresh().catch(() => undefined);
        return { tried };
      },
      async "demo.open"() {
        return { workspaceId: await core.openDemo() };
      },
      async "notices.dismiss"({ id }) {
        app.dismissNotice(id);
        return done;
      },
    },
  };
}
