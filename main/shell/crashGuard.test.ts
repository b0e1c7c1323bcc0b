import { describe, expect, it } from "vitest";
import { CrashGuard, crashWindowMs } from "./crashGuard";

describe("a page that crashes", () => {
  it("is loaded again twice, and the third time within a minute the person is asked", () => {
    const guard = new CrashGuard();
    expect([0, 1000, 2000].map((ms) => guard.crashed(ms))).toEqual(["reload", "reload", "ask"]);
    expect(guard.crashed(3000)).toBe("ask");
  });

  it("now and then is always loaded again", () => {
    const guard = new CrashGuard();
    for (let nth = 0; nth < 10; nth += 1) expect(guard.crashed((nth * crashWindowMs) / 2)).toBe("reload");
  });

  it("is loaded again by itself once more after the person has wished so", () => {
    const guard = new CrashGuard();
    for (const ms of [0, 1, 2]) guard.crashed(ms);
    guard.reset();
    expect(guard.crashed(3)).toBe("reload");
  });
});
