import { describe, expect, it } from "vitest";
import { LaterPart } from "./later";

const Part = () => null;

function gated() {
  const gates: { open: () => void; fail: (error: Error) => void }[] = [];
  const part = new LaterPart<object>(
    () =>
      new Promise((resolve, reject) => {
        gates.push({ open: () => resolve(Part), fail: reject });
      }),
  );
  return { part, gates };
}

describe("a part that is loaded later", () => {
  it("is loaded once, however many places ask, and is there at once from then on", async () => {
    const { part, gates } = gated();
    let told = 0;
    part.watch(() => {
      told += 1;
    });
    expect(part.now().state).toBe("not asked");
    const loads = Promise.all([part.load(), part.load()]);
    expect(part.now().state).toBe("loading");
    gates[0]?.open();
    await loads;
    expect(part.now()).toEqual({ state: "here", Part });
    expect(told).toBe(1);
    await part.load();
    expect(gates).toHaveLength(1);
  });

  it("says that it could not be loaded, and is loaded anew when it is asked for again", async () => {
    const { part, gates } = gated();
    const first = part.load();
    const error = new Error("The file is gone.");
    gates[0]?.fail(error);
    await first;
    expect(part.now()).toEqual({ state: "failed", error });
    part.forgetFailure();
    const second = part.load();
    gates[1]?.open();
    await second;
    expect(part.now().state).toBe("here");
  });

  it("tells nobody who has stopped watching", async () => {
    const { part, gates } = gated();
    let told = 0;
    part.watch(() => {
      told += 1;
    })();
    const load = part.load();
    gates[0]?.open();
    await load;
    expect(told).toBe(0);
  });
});
