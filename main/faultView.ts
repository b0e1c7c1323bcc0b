import type { FaultView } from "../preload/contract/fault";
import type { Fault } from "./fault";
import { redactText } from "./redact";

const detailUnits = 16_000;
/** What a long one begins with. The rest is its end: there a program says why it has failed. */
const beginningUnits = 4_000;

/** A fault as it crosses the bridge: without its cause, and with nothing in it that looks like a secret. */
export function toFaultView(fault: Fault): FaultView {
  const view: FaultView = {
    code: fault.code,
    message: redactText(fault.message),
    retryable: fault.retryable,
  };
  if (fault.hint !== undefined) view.hint = redactText(fault.hint);
  if (fault.detail !== undefined) view.detail = shortened(fault.detail);
  if (fault.path !== undefined) view.path = fault.path;
  return view;
}

function shortened(detail: string): string {
  if (detail.length <= detailUnits) return redactText(detail);
  const rest = detail.slice(beginningUnits - detailUnits);
  // By whole lines, so that no secret is cut in two and missed.
  const line = rest.indexOf("\n") + 1;
  if (line === 0) return redactText(detail.slice(0, detailUnits));
  const end = rest.slice(line);
  const leftOut = detail.length - beginningUnits - end.length;
  return `${redactText(detail.slice(0, beginningUnits))}\n[${leftOut.toLocaleString("en")} characters left out]\n${redactText(end)}`;
}
