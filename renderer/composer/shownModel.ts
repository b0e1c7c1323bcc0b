// The model that the next turn of the shown thread runs with, by the name that it has everywhere: the one that codex gives it.

import type { ThreadSettings } from "../../preload/contract/thread";
import { useHead } from "../state/threadStore";
import { type Listed, type Model, useModels } from "./models";
import { useUsualSettings } from "./usualSettings";

export interface ShownModel {
  /** As codex lists it; undefined: it does not, or is not known to. */
  model: Model | undefined;
  /** What codex takes where none is chosen, likewise. */
  usual: Model | undefined;
  /** The name, and the effort where there is a choice of it. */
  words: string;
  /** What codex calls it among programs, where that is not its name. */
  id: string | null;
}

type Chosen = Pick<ThreadSettings, "model" | "effort">;

/** `fromConfig`: what a thread gets where nothing is chosen. */
export function shownModel(models: readonly Model[], chosen: Chosen, fromConfig: Chosen): ShownModel {
  const usual = models.find((each) =>
    fromConfig.model === null ? each.isDefault : each.id === fromConfig.model,
  );
  const model = chosen.model === null ? usual : models.find((each) => each.id === chosen.model);
  const name = model?.name ?? chosen.model ?? fromConfig.model ?? "default model";
  // A model with one effort has none to speak of.
  const choosable = model === undefined || model.efforts.length > 1;
  const usualEffort = chosen.model === null ? fromConfig.effort : null;
  const effort = choosable ? (chosen.effort ?? usualEffort ?? model?.defaultEffort ?? null) : null;
  return {
    model,
    usual,
    words: effort === null ? name : `${name} · ${effort}`,
    id: model === undefined || model.id === name ? null : model.id,
  };
}

export function useShownModel(): ShownModel & { listed: Listed } {
  const listed = useModels(useHead((head) => head.workspaceId));
  const settings = useHead((head) => head.settings);
  const models = listed.state === "listed" ? listed.models : [];
  return { listed, ...shownModel(models, settings, useUsualSettings()) };
}
