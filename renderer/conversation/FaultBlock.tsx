import type { ReactNode } from "react";
import type { FaultView } from "../../preload/contract/fault";
import { Notice } from "../ui/Notice";

/** A fault in the place that it belongs to: what happened, what can be done, the details folded away. */
export function FaultBlock({
  fault,
  actions,
  tone = "error",
}: {
  fault: FaultView;
  actions?: ReactNode;
  tone?: "error" | "warning";
}) {
  return (
    <Notice tone={tone} title={fault.message} hint={fault.hint} detail={fault.detail} actions={actions} />
  );
}
