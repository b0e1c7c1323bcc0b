import type { EnvironmentConnection, ThreadEnvironment } from "../../preload/contract/environments";
import { useApp, useRows, useThreadRow } from "../state/appStore";
import { parentsOf } from "../state/parentsOf";
import { useHead } from "../state/threadStore";
import { approvalTrouble, onEnvironment, onPlace, type PlaceLook, placeLook, whyItStays } from "./words";

/** Why the shown thread stays where it is for now. Null: another place can be chosen. */
export function useWhyItStays(): string | null {
  const running = useHead((head) => head.run !== null);
  const row = useThreadRow(useHead((head) => head.threadId));
  return whyItStays({ running, isAgent: (row?.parentThreadId ?? null) !== null });
}

export interface ShownPlace {
  place: ThreadEnvironment;
  look: PlaceLook;
  /** Holdfast's own to the same environment. */
  connection: EnvironmentConnection | undefined;
}

/** Where the shown thread runs; null: on this machine. */
export function useShownPlace(): ShownPlace | null {
  const place = useHead((head) => head.environment);
  const connection = useApp(
    (app) => app.environments.find((each) => each.environmentId === place?.environmentId)?.connection,
  );
  return place && { place, look: placeLook(place, connection), connection };
}

/** What is to be known before something is approved that would run where the shown thread and its agents run. */
export function useApprovalTrouble(): string | null {
  const shown = useShownPlace();
  return shown && approvalTrouble(shown.place, shown.connection);
}

/** "on build-box", for a thread of the list; null: on this machine. */
export function useOnEnvironment(environmentId: string | undefined): string | null {
  return useApp((app) => onEnvironment(environmentId, app.environments));
}

/** The same for a thread that asks for something: the one that is shown, or an agent below it. */
export function useOnPlaceOf(threadId: string): string | null {
  const isShown = useHead((head) => head.threadId === threadId || head.key === threadId);
  const place = useHead((head) => head.environment);
  // An agent works where the thread at the top of its tree works.
  const listed = useOnEnvironment(
    useRows((rows) => (parentsOf(rows, threadId)[0] ?? rows.get(threadId))?.environmentId),
  );
  return isShown ? place && onPlace(place) : listed;
}
