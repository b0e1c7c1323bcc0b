import { Fault } from "../../fault";

export function changedMeanwhile(cause?: Fault): Fault {
  return new Fault("changed_meanwhile", "It has changed meanwhile, so nothing was done.", {
    hint: "Look at the changes again, then choose once more.",
    ...(cause?.detail === undefined ? {} : { detail: cause.detail }),
    cause,
    retryable: true,
  });
}
