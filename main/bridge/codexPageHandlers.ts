import type { Handlers } from "./backend";
import type { CodexPage } from "./codexPage/codexPage";

type CodexPageCall =
  | "codex.servers"
  | "codex.server"
  | "codex.reloadServers"
  | "codex.signInToServer"
  | "codex.skills"
  | "codex.setSkill"
  | "codex.readLimits"
  | "codex.usage";

const done = { done: true } as const;

export function codexPageHandlers(
  page: CodexPage,
  limits: { read(): Promise<void> },
): Handlers<CodexPageCall> {
  return {
    async "codex.servers"({ workspaceId }) {
      return { servers: await page.servers(workspaceId) };
    },
    async "codex.server"({ workspaceId, threadId, name }) {
      return page.server(workspaceId, threadId, name);
    },
    async "codex.reloadServers"({ workspaceId }) {
      await page.reload(workspaceId);
      return done;
    },
    async "codex.signInToServer"({ workspaceId, threadId, name }) {
      return { url: await page.signIn(workspaceId, threadId, name) };
    },
    async "codex.skills"({ workspaceId, now }) {
      return page.skills(workspaceId, now);
    },
    async "codex.setSkill"({ workspaceId, path, enabled }) {
      return { enabled: await page.setSkill(workspaceId, path, enabled) };
    },
    async "codex.readLimits"() {
      await limits.read();
      return done;
    },
    async "codex.usage"({ threadId }) {
      return page.usage(threadId);
    },
  };
}
