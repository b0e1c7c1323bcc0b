// Changes a thread's settings.
//
// Race: two fields are changed one after the other, the second before main has told of the first. What is sent is always
// all of them, so the second is put on top of what was sent last, not of what was last heard.

import type { ThreadSettings } from "../../preload/contract/thread";
import { call } from "../state/connection";
import { attempt } from "../state/toasts";
import type { Model } from "./models";

interface UnderWay {
  settings: ThreadSettings;
  calls: number;
}

const underWay = new Map<string, UnderWay>();

/** False: it did not work, which was said. */
export async function changeThreadSettings(
  threadKey: string,
  heard: ThreadSettings,
  part: Partial<ThreadSettings>,
): Promise<boolean> {
  const before = underWay.get(threadKey);
  const settings = { ...(before?.settings ?? heard), ...part };
  underWay.set(threadKey, { settings, calls: (before?.calls ?? 0) + 1 });
  const done = await attempt(call("threads.setSettings", { threadKey, settings }));
  const now = underWay.get(threadKey);
  if (now && now.calls > 1) underWay.set(threadKey, { ...now, calls: now.calls - 1 });
  else underWay.delete(threadKey);
  return done !== undefined;
}

/** Another model keeps the effort if it knows it. */
export function withModel(settings: ThreadSettings, model: Model | undefined): Partial<ThreadSettings> {
  const keeps = model?.efforts.some((effort) => effort.id === settings.effort) ?? false;
  return { model: model?.id ?? null, effort: keeps ? settings.effort : null };
}
