import { afterEach, expect, it, vi } from "vitest";
import { steadyClock } from "./clock";

afterEach(() => {
  vi.restoreAllMocks();
});

it("goes on evenly when the time of day is put back or forward", () => {
  const beforeMs = steadyClock.nowMs();
  for (const dayMs of [-86_400_000, 86_400_000]) {
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + dayMs);
    const passedMs = steadyClock.nowMs() - beforeMs;
    expect(passedMs).toBeGreaterThanOrEqual(0);
    expect(passedMs).toBeLessThan(60_000);
  }
});
