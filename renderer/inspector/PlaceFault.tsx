import type { FaultView } from "../../preload/contract/fault";
import { Details } from "../ui/Details";
import { Said } from "../ui/Said";

/** A fault inside a row of a panel: what happened, what can be done, the details folded away. No box of its own. */
export function PlaceFault({ fault, live = false }: { fault: FaultView; live?: boolean }) {
  return (
    <div role={live ? "alert" : undefined} className="grid min-w-0 gap-0.5 text-s">
      <p className="text-pretty break-words whitespace-pre-line text-ink selectable">
        <Said>{fault.message}</Said>
      </p>
      {fault.hint !== undefined && (
        <p className="text-pretty break-words text-ink-2 selectable">
          <Said>{fault.hint}</Said>
        </p>
      )}
      {fault.detail !== undefined && <Details text={fault.detail} />}
    </div>
  );
}
