import { expect, test } from "vitest";
import { faultToShow, type OwnJob } from "./jobs";

const job = (code: string | null): OwnJob => ({
  jobId: "mine",
  kind: "push",
  output: "",
  fault: code === null ? null : { code, message: "No.", retryable: true },
});
const listed = (jobId: string, kind: "push" | "commit" = "push") => [{ jobId, kind, sinceMs: 1 }];

test("that the same goes on elsewhere is said while it does; what failed otherwise stays", () => {
  const busy = job("repository_busy");
  expect(faultToShow(busy, listed("other"))).toBe(busy.fault);
  for (const over of [[], listed("mine"), listed("other", "commit")])
    expect(faultToShow(busy, over)).toBeNull();
  const refused = job("push_refused");
  expect(faultToShow(refused, [])).toBe(refused.fault);
  expect([faultToShow(job(null), listed("other")), faultToShow(null, listed("other"))]).toEqual([null, null]);
});
