// The one error that a call throws. It carries the fault as main put it into words; what happened on this side of the
// port gets a fault of the same shape, so that nobody needs to tell the two apart.

import type { FaultView } from "../../preload/contract/fault";

export class CallFault extends Error {
  override readonly name = "CallFault";
  readonly view: FaultView;

  constructor(view: FaultView) {
    super(view.message);
    this.view = view;
  }

  get code(): string {
    return this.view.code;
  }
}

/** Anything that was thrown, as something that can be shown. */
export function faultOf(error: unknown): FaultView {
  if (error instanceof CallFault) return error.view;
  if (error instanceof Error) {
    return {
      code: "unexpected",
      message: error.message || error.name,
      detail: error.stack,
      retryable: false,
    };
  }
  return { code: "unexpected", message: String(error), retryable: false };
}

export const portClosedFault: FaultView = {
  code: "port_closed",
  message: "This window lost its connection to Holdfast.",
  hint: "Your work goes on. Reload the window to see it again.",
  retryable: true,
};

export function misfitFault(what: string, detail: string): FaultView {
  return {
    code: "misfit",
    message: `${what} had a form that this window does not know.`,
    hint: "Reload the window. If it happens again, copy the details into a report.",
    detail,
    retryable: false,
  };
}
