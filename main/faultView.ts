import type { FaultView } from "../preload/contract/fault";
import type { Fault } from "./fault";
import { redactText } from "./redact";

const detailUnits = 16_000;

/** A fault as it crosses the bridge: without its cause, and with nothing in it that looks like a secret. */
export function toFaultView(fault: Fault): FaultView {
  const view: FaultView = {
    code: fault.code,
    message: redactText(fault.message),
    retryable: fault.retryable,
  };
  if (fault.hint !== undefined) view.hint = redactText(fault.hint);
  if (fault.detail !== undefined) view.detail = redactText(fault.detail.slice(0, detailUnits));
  if (fault.path !== undefined) view.path = fault.path;
  return view;
}
