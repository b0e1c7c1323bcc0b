// The one door between main and a window: every call, every subscription, every message on the port, as zod schemas with
// the types inferred from them. Both sides validate what they receive; what does not fit is an error, never a guess.
//
// A window gets one MessagePort. It sends `call`s and gets one `answer` for each. For each subscription it gets a
// snapshot (the answer to `subscribe`) and then `change`s numbered from 1 without a gap. A gap, or a change of a
// generation that is not current, means: subscribe again.

import { z } from "zod";
import { appChangeSchema, appSnapshotSchema, triedPlaceSchema } from "./contract/app";
import { attentionCalls } from "./contract/attention";
import { call, done, nothing } from "./contract/call";
import { outputItemSchema, runChangeSchema, runSnapshotSchema, scriptNameSchema } from "./contract/cells";
import { changesCalls } from "./contract/changes";
import { codexPageCalls } from "./contract/codexPage";
import { commentCalls } from "./contract/comments";
import { diagnosticsCalls } from "./contract/diagnostics";
import { keptDraft, messageAttachments, messageText, seenDraft } from "./contract/draft";
import { editorCalls } from "./contract/editor";
import { environmentCalls } from "./contract/environmentCalls";
import { faultSchema } from "./contract/fault";
import { findingCalls } from "./contract/finding";
import { attachmentSchema } from "./contract/items";
import { layoutSchema } from "./contract/layout";
import { answerSchema } from "./contract/requests";
import { settingsCalls } from "./contract/settingsCalls";
import { terminalCalls, terminalChangeSchema, terminalSnapshotSchema } from "./contract/terminals";
import {
  reviewTargetSchema,
  threadChangeSchema,
  threadSettingsSchema,
  threadSnapshotSchema,
} from "./contract/thread";
import { worktreeCalls } from "./contract/worktrees";

export const topicSchema = z.discriminatedUnion("topic", [
  z.object({ topic: z.literal("app") }),
  /** `key` is a thread id, or the provisional key that `threads.compose` gave out. */
  z.object({ topic: z.literal("thread"), key: z.string().max(200) }),
  /** One run of a script. */
  z.object({ topic: z.literal("run"), runId: z.string().max(200) }),
  /** What one terminal prints; the rest of it is in the app's list of terminals. */
  z.object({ topic: z.literal("terminal"), terminalId: z.string().max(200) }),
]);
export type Topic = z.infer<typeof topicSchema>;

/** For drafts also `commit:` and a workspace: the message of its next commit. */
const threadKey = z.object({ threadKey: z.string().max(200) });
const followUp = threadKey.extend({ clientId: z.string().max(200) });
const changed = z.object({ outcome: z.enum(["changed", "gone"]) });
const workspaceId = z.object({ workspaceId: z.string().max(200) });
const scriptId = z.object({ scriptId: z.string().max(200) });
const scriptName = z.string().min(1).max(200);
/** A cell takes far less, which main says in words. */
const scriptSource = messageText;
/** A script as main has it. Each change in any window gives it a higher revision. */
const keptScript = z.object({
  name: z.string(),
  source: z.string(),
  origin: z.enum(["own", "shipped"]),
  revision: z.number().int(),
});
const run = z.object({ runId: z.string().max(200) });
/** Every call a window can make. Unknown names are refused; parameters and results are validated on both sides. */
export const calls = {
  subscribe: call(
    topicSchema,
    z.object({
      subscriptionId: z.number().int(),
      snapshot: z.discriminatedUnion("topic", [
        z.object({ topic: z.literal("app"), app: appSnapshotSchema }),
        z.object({ topic: z.literal("thread"), thread: threadSnapshotSchema }),
        z.object({ topic: z.literal("run"), run: runSnapshotSchema }),
        z.object({ topic: z.literal("terminal"), terminal: terminalSnapshotSchema }),
      ]),
    }),
  ),
  unsubscribe: call(z.object({ subscriptionId: z.number().int() }), done),

  /** Opens a folder as a workspace, or finds the one that it already is. */
  "workspaces.open": call(z.object({ path: z.string().max(4096) }), workspaceId),
  /** Shows the platform's folder dialog. `workspaceId` is null when the person changed their mind. */
  "workspaces.pick": call(nothing, z.object({ workspaceId: z.string().nullable() })),
  "workspaces.rename": call(workspaceId.extend({ name: z.string().min(1).max(200) }), done),
  /** Takes the workspace off the list; nothing on disk is touched. Refused while a turn runs in it. */
  "workspaces.remove": call(workspaceId, done),
  /** Says where a folder that has gone is now, through the folder dialog. */
  "workspaces.locate": call(workspaceId, z.object({ located: z.boolean() })),
  /** Starts its session if it is not live, and lists its threads: the window shows this workspace now. */
  "workspaces.show": call(workspaceId, done),
  /** Ends the session's process and starts a new one. Refused while a turn runs unless `force`. */
  "workspaces.restartSession": call(workspaceId.extend({ force: z.boolean() }), done),

  ...findingCalls,
  "threads.loadMore": call(workspaceId.extend({ archived: z.boolean() }), done),
  /** A provisional key for a thread that codex does not know yet. It is made when the first message is sent. */
  "threads.compose": call(workspaceId, threadKey),
  "threads.rename": call(threadKey.extend({ title: z.string().min(1).max(500) }), done),
  "threads.archive": call(threadKey.extend({ interruptFirst: z.boolean() }), done),
  "threads.unarchive": call(threadKey, done),
  /** For good, archived or not. Refused while it, or one of its agents, is at work, and while a message is undelivered. */
  "threads.delete": call(threadKey, done),
  /** A new thread with this one's history, through `lastTurnId` when given. */
  "threads.fork": call(threadKey.extend({ lastTurnId: z.string().nullable() }), threadKey),
  /**
   * Takes this turn and all after it out of the thread's history; files stay as they are. Its message becomes part of the
   * draft. Refused while a turn runs.
   */
  "threads.revert": call(threadKey.extend({ beforeTurnId: z.string() }), done),
  /** Has codex review work in the thread's folder, as a turn of this thread. Refused while a turn runs. */
  "threads.review": call(threadKey.extend({ target: reviewTargetSchema }), done),
  /** What can be reviewed in a workspace. Empty lists where it is no git repository. */
  "workspaces.reviewTargets": call(
    workspaceId,
    z.object({
      branches: z.array(z.string()),
      currentBranch: z.string().nullable(),
      commits: z.array(z.object({ sha: z.string(), subject: z.string(), atMs: z.number() })),
    }),
  ),
  "threads.loadOlder": call(threadKey, done),
  /** Tries again to load a thread that could not be loaded. */
  "threads.reload": call(threadKey, done),
  "threads.markRead": call(threadKey, done),
  "threads.setSettings": call(threadKey.extend({ settings: threadSettingsSchema }), done),
  "threads.compact": call(threadKey, done),
  /** Where its commands run from the next turn on; null: on this machine. Refused while a turn runs. */
  "threads.setEnvironment": call(
    threadKey.extend({
      environment: z
        .object({ environmentId: z.string().max(200), cwd: z.string().min(1).max(4096) })
        .nullable(),
    }),
    done,
  ),
  /** The folder there in which a thread of this workspace was used last; null: none was. */
  "threads.lastFolderIn": call(
    workspaceId.extend({ environmentId: z.string().max(200) }),
    z.object({ folder: z.string().nullable() }),
  ),

  /**
   * Hands over what the person wrote. `clientId` is made once for one press of Send; the same id again is the same
   * message and is not sent twice. The answer comes when the text is safe on disk, not when codex has it.
   * `seen`: it is the draft that is sent; it is cleared in every window, but for what was typed elsewhere and is not in
   * the message. Without it the draft stays. The answer has what is left; null: that cannot be read.
   * `afterTurnId`: it answers this turn, and is refused as `turn_answered` when anything was sent after it, here or elsewhere.
   */
  "messages.send": call(
    threadKey.extend({
      clientId: z.uuid(),
      text: messageText,
      attachments: messageAttachments,
      mode: z.enum(["turn", "steer", "queue"]),
      seen: seenDraft.optional(),
      afterTurnId: z.string().max(200).optional(),
    }),
    z.object({ draft: keptDraft.nullable() }),
  ),
  /** Sends an undelivered message again, under its old client id. */
  "messages.resend": call(threadKey.extend({ clientId: z.uuid() }), done),
  /** Gives an undelivered message back to be edited. */
  "messages.takeBack": call(
    threadKey.extend({ clientId: z.uuid() }),
    z.object({ text: messageText, attachments: messageAttachments }),
  ),
  // `gone`: it has been sent or deleted meanwhile; nothing was done.
  "followUps.edit": call(followUp.extend({ text: messageText, attachments: messageAttachments }), changed),
  /** Puts it before another one; null: at the end. */
  "followUps.move": call(followUp.extend({ beforeClientId: z.string().max(200).nullable() }), changed),
  "followUps.delete": call(followUp, changed),
  /** Steers the running turn with it; where none runs, starts a turn with it. */
  "followUps.sendNow": call(followUp, changed),
  /** Lets held follow-ups go. */
  "followUps.resume": call(threadKey, done),
  "turns.stop": call(threadKey, done),
  /** Sends the same input as the last turn's again, as a new message. */
  "turns.retry": call(threadKey, done),
  /** Ends a command that an agent has left running; `itemId` is codex's own. One that has ended already is a success. */
  "commands.stop": call(threadKey.extend({ itemId: z.string() }), done),

  "requests.answer": call(
    answerSchema,
    /** `gone`: it was answered or withdrawn elsewhere; nothing was done. */
    z.object({ outcome: z.enum(["sent", "gone"]) }),
  ),

  "drafts.get": call(threadKey, keptDraft),
  /**
   * Replaces the draft, unless another window has changed it since `seen`: then nothing is done, and the answer is what
   * there is. `isLast`: the page goes away and cannot try again; then both texts are kept.
   */
  "drafts.put": call(
    threadKey.extend({
      text: messageText,
      attachments: messageAttachments,
      seen: seenDraft,
      isLast: z.boolean(),
    }),
    z.discriminatedUnion("outcome", [
      z.object({ outcome: z.literal("kept"), revision: z.number().int().positive() }),
      z.object({ outcome: z.literal("behind"), draft: keptDraft }),
    ]),
  ),
  /**
   * Waits for a change that is none of the page's own. null: there was none for a while, or the page asked again, also
   * for another thread.
   */
  "drafts.next": call(threadKey.extend({ seen: seenDraft }), z.object({ draft: keptDraft.nullable() })),
  /** Puts a draft that cannot be shown into a file and starts empty; says where the file is. */
  "drafts.park": call(threadKey, z.object({ path: z.string(), draft: keptDraft })),

  /** codex's fuzzy file search in the thread's workspace. */
  "files.search": call(
    workspaceId.extend({ query: z.string().max(500) }),
    z.object({
      files: z.array(z.object({ path: z.string(), name: z.string(), indices: z.array(z.number()) })),
    }),
  ),
  /** Keeps a pasted or dropped image in Holdfast's own folder, scaled down if it is huge. */
  "attachments.save": call(
    z.object({ name: z.string().max(300), bytes: z.instanceof(Uint8Array) }),
    z.object({ attachment: attachmentSchema }),
  ),
  /** The platform's file dialog for images. */
  "attachments.pick": call(nothing, z.object({ attachments: messageAttachments })),
  /** A small picture of an image file as a data URL; null when the file is gone or no image. */
  "attachments.thumbnail": call(
    z.object({ path: z.string().max(4096) }),
    z.object({ dataUrl: z.string().nullable() }),
  ),

  /** The whole text behind a bounded one, up to 16 MiB. */
  "items.fullText": call(
    threadKey.extend({ itemId: z.string(), part: z.string().max(200) }),
    z.object({ text: z.string(), complete: z.boolean() }),
  ),

  /** What a new thread there gets from codex where nobody chooses anything; null: not known. Starts its session. */
  "threads.usualSettings": call(workspaceId, z.object({ settings: threadSettingsSchema })),
  /** What codex offers for threads of this workspace. */
  "models.list": call(
    workspaceId,
    z.object({
      models: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          efforts: z.array(z.object({ id: z.string(), description: z.string() })),
          defaultEffort: z.string(),
          isDefault: z.boolean(),
          acceptsImages: z.boolean(),
        }),
      ),
    }),
  ),

  /** Everything that a script finds beside the language itself, and the same as TypeScript declarations. */
  "scripts.names": call(nothing, z.object({ names: z.array(scriptNameSchema), declarations: z.string() })),
  /** `fromScriptId`: a copy of that one; otherwise one with a few lines to start from. `source`: with this text instead. */
  "scripts.create": call(
    z.object({
      name: scriptName.optional(),
      fromScriptId: z.string().max(200).nullable(),
      source: scriptSource.optional(),
    }),
    scriptId,
  ),
  "scripts.read": call(scriptId, keptScript),
  /**
   * Replaces name and text and counts the revision up by one, unless they have been changed since `revision`: then nothing
   * is done. `orCopy`: the page goes away and cannot ask; then they are kept as a script of its own.
   */
  "scripts.save": call(
    scriptId.extend({
      name: scriptName,
      source: scriptSource,
      revision: z.number().int(),
      orCopy: z.boolean().optional(),
    }),
    z.discriminatedUnion("outcome", [
      z.object({ outcome: z.literal("kept"), revision: z.number().int() }),
      z.object({ outcome: z.literal("behind"), script: keptScript }),
    ]),
  ),
  /** Takes it off the list; its runs stay. `scripts.restore` brings it back. */
  "scripts.delete": call(scriptId, done),
  "scripts.restore": call(scriptId, done),

  /** Runs this text, in this workspace; `scriptId`: which script it is of. Answers when it is on record. */
  "cells.run": call(
    workspaceId.extend({ scriptId: z.string().max(200).nullable(), name: scriptName, source: scriptSource }),
    run,
  ),
  /** Ends it. `stopThreads`: the turns that run in the threads it has started are stopped too. */
  "cells.stop": call(run.extend({ stopThreads: z.boolean() }), done),
  /** The output before item number `before`, as much as fits; `from` is the number of its first item, from 0. */
  "cells.earlierOutput": call(
    run.extend({ before: z.number().int().nonnegative() }),
    z.object({ items: z.array(outputItemSchema), from: z.number().int().nonnegative() }),
  ),
  /** `gone`: it was answered elsewhere, or its run has ended; nothing was done. */
  "cells.answer": call(
    z.object({ questionId: z.string().max(200), answer: z.string().min(1).max(100_000) }),
    z.object({ outcome: z.enum(["sent", "gone"]) }),
  ),
  /** Takes runs that have ended off the list, with their output. null: all that have ended. Threads stay. */
  "cells.forget": call(z.object({ runId: z.string().max(200).nullable() }), done),

  ...worktreeCalls,
  ...environmentCalls,
  ...terminalCalls,
  ...commentCalls,
  ...changesCalls,
  ...codexPageCalls,
  ...diagnosticsCalls,
  ...editorCalls,

  /** Tries a cleanup now. `left`: it is still owed, and its entry says why. */
  "cleanups.retry": call(z.object({ id: z.string().max(200) }), z.object({ left: z.boolean() })),
  /** The same for everything that is owed in a workspace, before a start that it has refused is tried again. */
  "cleanups.retryAll": call(workspaceId, z.object({ left: z.number().int() })),

  /** Starts the MCP servers of a thread's session anew. Their states follow in the thread's head. */
  "mcp.reconnect": call(threadKey, done),
  /** Signs in to an MCP server in the browser. */
  "mcp.login": call(threadKey.extend({ name: z.string().max(200) }), done),

  "account.refresh": call(nothing, done),
  /** Starts signing in with ChatGPT in the browser; the result arrives as the app's `login` and `account`. */
  "account.signInWithChatGpt": call(nothing, done),
  "account.signInWithApiKey": call(z.object({ apiKey: z.string().min(1).max(1000) }), done),
  "account.cancelSignIn": call(nothing, done),
  "account.signOut": call(nothing, done),
  /** Looks for Ollama and LM Studio on this machine. */
  "localModels.find": call(
    nothing,
    z.object({
      servers: z.array(z.object({ provider: z.enum(["ollama", "lmstudio"]), models: z.array(z.string()) })),
    }),
  ),

  /** Searches for codex again; `path` sets or (null) clears the path chosen by hand first. */
  "codex.recheck": call(
    z.object({ path: z.string().max(4096).nullable().optional() }),
    z.object({ tried: z.array(triedPlaceSchema) }),
  ),
  /** The platform's file dialog for the codex binary. */
  "codex.pick": call(nothing, z.object({ path: z.string().nullable() })),

  /** Makes the demo workspace if it is not there yet, and opens it. */
  "demo.open": call(nothing, workspaceId),

  ...settingsCalls,
  ...attentionCalls,
  "notices.dismiss": call(z.object({ id: z.string() }), done),
  /** Opens an https or http link in the person's browser. */
  "shell.openLink": call(z.object({ url: z.url({ protocol: /^https?$/ }) }), done),
  /** Shows a file or folder in the platform's file manager. */
  "shell.reveal": call(z.object({ path: z.string().max(4096) }), done),
  "shell.copy": call(z.object({ text: messageText }), done),
  /**
   * The end of a log: `main`, of a workspace's codex, of what a cleanup is about, of a local environment's exec-server, or of
   * the last set-up of a worktree.
   */
  "logs.tail": call(
    z.discriminatedUnion("log", [
      z.object({ log: z.literal("main") }),
      z.object({ log: z.literal("session"), workspaceId: z.string() }),
      z.object({ log: z.literal("cleanup"), id: z.string().max(200) }),
      z.object({ log: z.literal("environment"), environmentId: z.string().max(200) }),
      z.object({ log: z.literal("setup"), workspaceId: z.string().max(200) }),
    ]),
    z.object({ path: z.string(), text: z.string() }),
  ),
  /** What this window shows and how its panes are sized, so that it comes back the same. */
  "window.remember": call(z.object({ layout: layoutSchema }), done),
  /** Beside this one, which shows the same. */
  "window.openNew": call(nothing, done),
  /** As the person does it with the window's own button. */
  "window.close": call(nothing, done),
  /** As the menu does it: asks first where something is at work. */
  "app.quit": call(nothing, done),
  /** The platform's panel with name and version. */
  "app.about": call(nothing, done),
  "window.layout": call(nothing, z.object({ layout: layoutSchema })),
  /** The page has drawn what it shows: what the first window need not wait for begins now. */
  "window.drawn": call(nothing, done),
} as const;

export type CallName = keyof typeof calls;
export type CallParams<Name extends CallName> = z.input<(typeof calls)[Name]["params"]>;
export type CallResult<Name extends CallName> = z.output<(typeof calls)[Name]["result"]>;

export type KeptScript = CallResult<"scripts.read">;
export type WorktreeFacts = CallResult<"worktrees.check">;
export type WorktreeMergeFacts = CallResult<"worktrees.checkMerge">;
export type KeptDraft = CallResult<"drafts.get">;
export type SeenDraft = CallParams<"drafts.next">["seen"];

export const callNameSchema = z.enum(Object.keys(calls) as [CallName, ...CallName[]]);

/** Window to main. */
export const callMessageSchema = z.object({
  kind: z.literal("call"),
  id: z.number().int().nonnegative(),
  name: callNameSchema,
  params: z.unknown(),
});
export type CallMessage = z.infer<typeof callMessageSchema>;

/**
 * The window has taken in all changes of a subscription up to `seq`. Main has at most one unacknowledged change message
 * in flight for each subscription and merges everything that comes meanwhile: a slow window costs no memory.
 */
export const ackMessageSchema = z.object({
  kind: z.literal("ack"),
  subscriptionId: z.number().int(),
  seq: z.number().int().positive(),
});
export const windowMessageSchema = z.discriminatedUnion("kind", [callMessageSchema, ackMessageSchema]);
export type WindowMessage = z.infer<typeof windowMessageSchema>;

/** Main to window. */
export const portMessageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answer"), id: z.number().int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ kind: z.literal("failure"), id: z.number().int(), fault: faultSchema }),
  z.object({
    kind: z.literal("change"),
    subscriptionId: z.number().int(),
    /** 1 for the first change after the snapshot, then one more each. */
    seq: z.number().int().positive(),
    changes: z.discriminatedUnion("topic", [
      z.object({ topic: z.literal("app"), list: z.array(appChangeSchema) }),
      z.object({ topic: z.literal("thread"), list: z.array(threadChangeSchema) }),
      z.object({ topic: z.literal("run"), list: z.array(runChangeSchema) }),
      z.object({ topic: z.literal("terminal"), list: z.array(terminalChangeSchema) }),
    ]),
  }),
  /** The subscription has ended on main's side (what was merged grew too large): subscribe again for a new snapshot. */
  z.object({ kind: z.literal("resync"), subscriptionId: z.number().int() }),
  /** Main asks the window to do something that only a window can: menu commands. */
  z.object({
    kind: z.literal("command"),
    command: z.enum([
      "new-thread",
      "open-workspace",
      "find",
      "search",
      "go-to-file",
      "settings",
      "toggle-sidebar",
      "toggle-inspector",
      "stop",
      "focus-composer",
      "next-thread",
      "previous-thread",
      "changes",
      "cells",
      "environments",
      "text-larger",
      "text-smaller",
      "text-usual",
      "codex",
      "diagnostics",
      "toggle-terminal",
    ]),
  }),
  z.object({
    kind: z.literal("show"),
    workspaceId: z.string(),
    threadKey: z.string().nullable(),
    /** The request that the card is to show. */
    requestKey: z.string().nullable(),
  }),
  z.object({ kind: z.literal("show run"), runId: z.string(), questionId: z.string().nullable() }),
]);
export type PortMessage = z.infer<typeof portMessageSchema>;
export type MenuCommand = Extract<PortMessage, { kind: "command" }>["command"];

export { portOfferType } from "./contract/port";
