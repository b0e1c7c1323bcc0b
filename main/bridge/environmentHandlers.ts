// Answers what a window asks of environments.

import type { Environments } from "../environments/environments";
import type { BackendCall, Handlers } from "./backend";

type EnvironmentCall = Extract<BackendCall, `environments.${string}`>;

const done = { done: true } as const;

export function environmentHandlers(environments: Environments): Handlers<EnvironmentCall> {
  return {
    async "environments.add"({ name, registry, tokens }) {
      return { environmentId: environments.add(name, registry, tokens) };
    },
    async "environments.change"({ environmentId, name, registry }) {
      environments.change(environmentId, name, registry);
      return done;
    },
    async "environments.setToken"({ environmentId, name, token }) {
      environments.setToken(environmentId, name, token);
      return done;
    },
    async "environments.remove"({ environmentId, evenIfUsed }) {
      await environments.remove(environmentId, { evenIfUsed });
      return done;
    },
    async "environments.check"({ environmentId }) {
      await environments.check(environmentId);
      return done;
    },
    async "environments.refresh"({ environmentId }) {
      await environments.refresh(environmentId);
      return done;
    },
    async "environments.start"({ environmentId }) {
      await environments.start(environmentId);
      return done;
    },
    async "environments.stop"({ environmentId, evenIfUsed }) {
      await environments.stop(environmentId, { evenIfUsed });
      return done;
    },
    async "environments.list"({ environmentId, path }) {
      return environments.list(environmentId, path);
    },
    async "environments.readFile"({ environmentId, path }) {
      return environments.readFile(environmentId, path);
    },
    async "environments.inspectWay"(way) {
      return { steps: await environments.inspectWay(way) };
    },
  };
}
