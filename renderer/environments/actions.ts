// What can be done with environments, from a button, a key or the palette. Each says what went wrong; none throws.
//
// Race: something is asked of an environment again before it has been answered. Main settles what that means; here the
// second press of the same button does nothing, and what an earlier question failed with is shown until the next one.

import type { EnvironmentView } from "../../preload/contract/environments";
import { isInEnvironment, isTerminalOpen } from "../../preload/contract/terminals";
import { appCopy } from "../state/appStore";
import { faultOf } from "../state/callFault";
import { askFirst } from "../state/confirm";
import { call } from "../state/connection";
import { goToEnvironments } from "../state/navigation";
import { attempt, showFault, toast } from "../state/toasts";
import { changeLayout, showDialog, uiStore } from "../state/uiStore";
import { shownOf, tokenWords } from "./environmentLook";
import { type Asked, environmentsStore, isBusy, setBusy, setFailure } from "./environmentsStore";
import { freeName, localName } from "./form/draft";
import { removedWords, type Users, usedWords } from "./removal";

function environments(): readonly EnvironmentView[] {
  return appCopy()?.app.environments ?? [];
}

export function environmentOf(environmentId: string): EnvironmentView | undefined {
  return environments().find((each) => each.environmentId === environmentId);
}

/** The one that is in front of the person. */
export function environmentInFront(): EnvironmentView | undefined {
  const { page, environments: shown } = uiStore.getState().layout;
  return page === "environments" ? shownOf(environments(), shown.environmentId) : undefined;
}

export function showEnvironment(environmentId: string): void {
  goToEnvironments(environmentId);
  environmentsStore.setState({ listOver: false });
}

export function newEnvironment(registry: "fixed" | "file" | "command" | null): void {
  goToEnvironments();
  showDialog({ kind: "environment", about: { what: "new", registry } });
}

export function connectToAnotherMachine(): void {
  goToEnvironments();
  showDialog({ kind: "environment", about: { what: "recipe" } });
}

/** What it found is in the environment's own state. */
export async function checkEnvironment(environmentId: string): Promise<void> {
  await asked(environmentId, "check", "The check did not work", () =>
    call("environments.check", { environmentId }),
  );
}

export async function refreshEnvironment(environmentId: string): Promise<void> {
  if (environmentOf(environmentId)?.refreshing) return;
  setFailure(environmentId, null);
  try {
    await call("environments.refresh", { environmentId });
  } catch (error) {
    failed(environmentId, "Refreshing did not work", error);
  }
}

export async function startServer(environmentId: string): Promise<void> {
  await asked(environmentId, "start", "It could not be started", () =>
    call("environments.start", { environmentId }),
  );
}

/** Asks first when something runs in it. */
export async function stopServer(environmentId: string): Promise<void> {
  await asked(environmentId, "stop", "It could not be stopped", async () => {
    try {
      await call("environments.stop", { environmentId, evenIfUsed: false });
    } catch (error) {
      const fault = faultOf(error);
      if (fault.code !== inUse) throw error;
      const yes = await askFirst({
        title: `Stop “${nameOf(environmentId)}” although it is used?`,
        text: [fault.message, fault.hint ?? "What runs in it is ended."].join(" "),
        confirmLabel: "Stop anyway",
        tone: "danger",
      });
      if (yes) await call("environments.stop", { environmentId, evenIfUsed: true });
    }
  });
}

const inUse = "environment_in_use";

async function asked(
  environmentId: string,
  what: Asked,
  whenFailed: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (isBusy(environmentId, what)) return;
  setBusy(environmentId, what, true);
  setFailure(environmentId, null);
  try {
    await work();
  } catch (error) {
    failed(environmentId, whenFailed, error);
  } finally {
    setBusy(environmentId, what, false);
  }
}

/** In its place if that is in front of the person, and else where they are. */
function failed(environmentId: string, what: string, error: unknown): void {
  const fault = faultOf(error);
  setFailure(environmentId, { what, fault });
  const { tab } = uiStore.getState().layout.environments;
  if (tab === "overview" && environmentInFront()?.environmentId === environmentId) return;
  showFault(fault, [
    {
      label: "Show",
      run() {
        showEnvironment(environmentId);
        showTab("overview");
      },
    },
  ]);
}

export function showTab(tab: "overview" | "files" | "terminal"): void {
  const { environments: shown } = uiStore.getState().layout;
  changeLayout({ environments: { ...shown, tab } });
}

function nameOf(environmentId: string): string {
  return environmentOf(environmentId)?.name ?? "the environment";
}

/** One press: an exec-server on this machine, added and started. */
export async function runOneHere(): Promise<void> {
  const name = freeName(localName, environments());
  const added = await attempt(call("environments.add", { name, registry: { kind: "local" }, tokens: [] }));
  if (!added) return;
  showEnvironment(added.environmentId);
  showTab("overview");
  await startServer(added.environmentId);
}

/** Says first what uses it. Main has the last word: what it finds besides is asked about as well. */
export async function removeEnvironment(environmentId: string): Promise<void> {
  const environment = environmentOf(environmentId);
  if (!environment) return;
  const { name } = environment;
  const users = usersOf(environmentId);
  const isUsed = users.threads.length > 0 || users.terminals > 0;
  const yes = await askFirst({
    title: `Remove “${name}”?`,
    text: [removedWords(environment), usedWords(users)].join(" ").trim(),
    confirmLabel: isUsed ? "Remove anyway" : "Remove",
    tone: "danger",
  });
  if (!yes) return;
  const next = neighbourOf(environmentId);
  if (!(await remove(environmentId, name, isUsed))) return;
  const { environments: shown } = uiStore.getState().layout;
  if (shown.environmentId === environmentId) {
    changeLayout({ environments: { ...shown, environmentId: next } });
  }
  toast(`“${name}” removed`, { tone: "ok" });
}

async function remove(environmentId: string, name: string, evenIfUsed: boolean): Promise<boolean> {
  try {
    await call("environments.remove", { environmentId, evenIfUsed });
    return true;
  } catch (error) {
    const fault = faultOf(error);
    // Another window has done the same.
    if (fault.code === "environment_unknown") return true;
    if (fault.code !== inUse || evenIfUsed) {
      showFault(fault);
      return false;
    }
    const yes = await askFirst({
      title: `Remove “${name}” although it is used?`,
      text: [fault.message, fault.hint].filter(Boolean).join(" "),
      confirmLabel: "Remove anyway",
      tone: "danger",
    });
    return yes && remove(environmentId, name, true);
  }
}

function usersOf(environmentId: string): Users {
  const copy = appCopy();
  return {
    threads: [...(copy?.rows.values() ?? [])]
      .filter((row) => row.environmentId === environmentId)
      .map((row) => row.title),
    terminals: (copy?.app.terminals ?? []).filter(
      (row) => isInEnvironment(row, environmentId) && isTerminalOpen(row),
    ).length,
  };
}

/** The one below it in the list, or else above it. */
function neighbourOf(environmentId: string): string | null {
  const list = environments();
  const index = list.findIndex((each) => each.environmentId === environmentId);
  return list[index + 1]?.environmentId ?? list[index - 1]?.environmentId ?? null;
}

export async function forgetToken(environmentId: string, name: string): Promise<void> {
  const yes = await askFirst({
    title: `Forget ${tokenWords(name)}?`,
    text: "Connections that are there stay. The next one is made without it.",
    confirmLabel: "Forget",
    tone: "danger",
  });
  if (yes) await attempt(call("environments.setToken", { environmentId, name, token: null }));
}

export function showServerLog({
  environmentId,
  name,
}: Pick<EnvironmentView, "environmentId" | "name">): void {
  showDialog({ kind: "log", log: { log: "environment", environmentId }, title: `Log of ${name}` });
}
