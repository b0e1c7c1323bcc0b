// What a script may use. Each limit ends the script with an error that says which one it was, whatever the script catches.

import { describe, expect, test } from "vitest";
import type { CellLimits, LimitName } from "../runtime/limits";
import { startScript } from "./testSandbox";

const small: Partial<CellLimits> = { memoryBytes: 32 * 1024 * 1024 };

async function ends(script: string, limit: LimitName, limits: Partial<CellLimits> = small): Promise<string> {
  const { sandbox: _, ...started } = await startScript(script, { limits });
  const error = started.done()?.error;
  expect(error?.limit, error?.text).toBe(limit);
  expect(started.isOver()).toBe(true);
  expect(started.clock.pendingCount).toBe(0);
  return error?.text ?? "";
}

describe("memory", () => {
  test("says which limit it was and how to raise it", async () => {
    expect(await ends("const all = []; for (;;) all.push(new Array(1000).fill(1));", "memoryBytes")).toBe(
      "The script needs more memory than a cell may use (32 MiB). The limit is “Memory of a cell” in the settings, where it can be raised.",
    );
  });

  test.each([
    ["a map", "const m = new Map(); for (let i = 0; ; i += 1) m.set(i, { i });"],
    ["strings", "const all = []; for (let i = 0; ; i += 1) all.push('x'.repeat(100_000) + i);"],
    ["one array", "new Array(2 ** 32 - 1).fill(0)"],
    ["one buffer", "new Uint8Array(1e9)"],
    ["one buffer above all bounds", "new Uint8Array(2 ** 31 - 1)"],
    ["many buffers", "const all = []; for (;;) all.push(new ArrayBuffer(1_000_000))"],
    ["functions bound to functions", "let f = () => 1; for (;;) f = f.bind(null)"],
    ["promises", "for (;;) { const p = new Promise(() => {}); globalThis.p = [p, globalThis.p]; }"],
    ["what is caught", "const all = []; for (;;) try { all.push(new Uint8Array(1_000_000)) } catch {}"],
  ])("%s", async (_name, script) => {
    await ends(script, "memoryBytes", small);
  });

  test("is enough for a script that uses what it may", async () => {
    const script = await startScript(
      "const all = []; for (let i = 0; i < 6; i += 1) all.push(new Uint8Array(1_000_000)); text(all.length)",
      { limits: small },
    );
    expect(script.done()?.error).toBeNull();
  });
});

describe("an answer", () => {
  test("for which there is no memory ends the script", async () => {
    const script = await startScript(
      "globalThis.all = []; for (let i = 0; i < 10; i += 1) all.push(await tools.ask()); text('end')",
      { limits: small },
    );
    for (let id = 1; id <= 10; id += 1) script.answer(id, `${id}${"x".repeat(4_000_000)}`);
    expect(script.done()?.error?.limit).toBe("memoryBytes");
    expect(script.texts()).toEqual([]);
  });
});

describe("run time", () => {
  test.each([
    ["a loop", "while (true) {}"],
    ["a loop that catches", "for (;;) try { for (;;) {} } catch {} finally { for (;;) {} }"],
    [
      "promises without end",
      "Promise.resolve().then(function f() { return Promise.resolve().then(f) }); await new Promise(() => {})",
    ],
    ["jobs without end", "const f = async () => { for (;;) await null }; await f()"],
    ["a regular expression that goes back and forth", "/(a+)+$/.test('a'.repeat(60) + 'b')"],
    ["an order that never comes", "[3, 2, 1].sort(() => { for (;;) {} })"],
    ["a getter", "text({ get a() { for (;;) {} } })"],
    ["a toJSON", "tools.ask({ toJSON() { for (;;) {} } })"],
    ["an error that is described", "throw { toString() { for (;;) {} }, toJSON() { for (;;) {} } }"],
    [
      "a rejection that is described",
      "const e = new Error(); Object.defineProperty(e, 'message', { get() { for (;;) {} } }); await Promise.reject(e)",
    ],
    ["an export that looks like a promise", "export function then() { for (;;) {} } while (true) {}"],
  ])("%s", async (_name, script) => {
    await ends(script, "runTimeMs", { runTimeMs: 150 });
  });

  test("counts what the script runs, and not what it waits", async () => {
    let nowMs = 0;
    const script = await startScript("await tools.ask(); await tools.ask(); text('end')", {
      limits: { runTimeMs: 100 },
      monotonicMs: () => nowMs,
    });
    nowMs += 60_000;
    script.answer(1, null);
    nowMs += 60_000;
    script.answer(2, null);
    expect(script.done()?.error).toBeNull();
    expect(script.texts()).toEqual(["end"]);
  });

  test("adds up over the whole life of the script", async () => {
    let nowMs = 0;
    const turns = "for (;;) { await tools.ask(); for (let i = 0; i < 100_000; i += 1); }";
    const script = await startScript(turns, {
      limits: { runTimeMs: 100 },
      // A script can be seen to run only by how often the time is asked for.
      monotonicMs: () => {
        nowMs += 1;
        return nowMs;
      },
    });
    for (let id = 1; !script.isOver() && id < 200; id += 1) script.answer(id, null);
    expect(script.done()?.error?.limit).toBe("runTimeMs");
    expect(script.calls().length).toBeGreaterThan(2);
  });
});

describe("output", () => {
  test.each([
    ["many texts", "for (;;) text('line')"],
    ["empty texts", "for (;;) text('')"],
    ["one text", "text('x'.repeat(200_000))"],
    ["one text that is short in characters", "text('\\u{1F600}'.repeat(20_000))"],
    ["the console", "for (;;) console.log('x'.repeat(1000))"],
    ["a picture", "image('data:image/png;base64,' + 'A'.repeat(200_000))"],
    ["notifications", "for (;;) notify('x'.repeat(30_000))"],
    ["what is caught", "for (;;) try { text('x'.repeat(1000)) } catch {}"],
  ])("%s", async (_name, script) => {
    const text = await ends(script, "outputBytes", { outputBytes: 64 * 1024 });
    expect(text).toContain("(64 KiB, where each item counts 256 bytes beside its text)");
  });

  test("is kept up to the limit", async () => {
    const script = await startScript("for (let i = 0; ; i += 1) text(String(i).padStart(744, '.'))", {
      limits: { outputBytes: 10_000 },
    });
    expect(script.texts()).toHaveLength(10);
    expect(script.done()?.error?.limit).toBe("outputBytes");
  });
});

describe("pending calls", () => {
  test.each([
    ["calls", "for (;;) tools.ask()", 5],
    ["notifications", "for (;;) notify('x')", 5],
    [
      "what is caught",
      "for (;;) try { await Promise.all([tools.ask(), tools.ask(), tools.ask(), tools.ask(), tools.ask(), tools.ask()]) } catch {}",
      5,
    ],
  ])("%s", async (_name, script, pendingCalls) => {
    const text = await ends(script, "pendingCalls", { pendingCalls });
    expect(text).toContain("(5)");
  });

  test("are only those without an answer", async () => {
    const script = await startScript(
      "for (let i = 0; i < 10; i += 1) { notify('x'); await tools.ask(); } text('end')",
      { limits: { pendingCalls: 2 } },
    );
    for (let id = 1; id <= 10; id += 1) {
      script.sandbox.receive({ type: "notified" });
      script.answer(id, null);
    }
    expect(script.done()?.error).toBeNull();
    expect(script.texts()).toEqual(["end"]);
  });
});

describe("depth", () => {
  test.each([
    ["calls", "function f() { f() } f()"],
    ["getters", "const o = { get a() { return o.a } }; o.a"],
    ["proxies", "let p = {}; for (let i = 0; i < 50_000; i += 1) p = new Proxy(p, {}); p.x"],
    ["JSON that is read", "JSON.parse('['.repeat(1_000_000))"],
    ["source", "eval('('.repeat(100_000))"],
    ["patterns", "new RegExp('(?:'.repeat(50_000) + ')'.repeat(50_000))"],
    ["promises that resolve with each other", "const t = { then(f) { t.then(f) } }; await t"],
  ])("%s end in an error of the script", async (_name, script) => {
    const started = await startScript(script);
    expect(started.done()?.error?.limit ?? null).toBeNull();
    expect(started.done()?.error?.text).toMatch(/nested too deeply|too many captures|stack/);
  });

  test("can be caught, and the script goes on", async () => {
    const script = await startScript(
      "try { (function f() { f() })() } catch (e) { text(e.message) } text('on')",
    );
    expect(script.texts()).toEqual(["stack overflow", "on"]);
    expect(script.done()?.error).toBeNull();
  });
});

describe("timers", () => {
  test("are bounded in number", async () => {
    const script = await startScript("for (;;) setTimeout(() => {}, 1e9)");
    expect(script.done()?.error?.text).toMatch(/^Error: There are too many timers/);
    expect(script.clock.pendingCount).toBe(0);
  });
});

describe("values that cross", () => {
  test("are bounded: the script gets an error that it can catch", async () => {
    const script = await startScript(`
      const big = "x".repeat(4 * 1024 * 1024 + 1);
      for (const task of [() => tools.ask({ big }), async () => store("a", big), async () => notify(big)]) {
        try { await task(); text("crossed"); } catch (e) { text(e.message); }
      }`);
    expect(script.done()?.error).toBeNull();
    expect(script.texts()).toEqual([
      "What tools.ask was called with is too large.",
      "What is to be stored is too large.",
      "This notification is too long.",
    ]);
    expect(script.calls()).toEqual([]);
  });

  test.each([
    ["a long text", "'x'.repeat(1024 * 1024)"],
    ["many keys", "Object.fromEntries(Array.from({ length: 11_000 }, (_, nth) => [nth, 1]))"],
    ["many values", "new Array(11_000).fill(1)"],
    ["many that are empty", "new Array(6_000).fill([])"],
  ])("what a tool is called with is bounded: %s", async (_, value) => {
    const script = await startScript(`
      const value = ${value};
      try { await tools.ask({ value }); } catch (e) { text(e.message); }
      await tools.ask({ value: '",[{\\\\'.repeat(20_000), list: new Array(9_000).fill("a,b") });`);
    expect(script.texts()).toEqual(["What tools.ask was called with is too large."]);
    expect(script.calls()).toMatchObject([{ name: "ask" }]);
    expect(script.done()).toBeUndefined();
    script.stop();
  });

  test("stored values are bounded together", async () => {
    const script = await startScript(
      "const big = 'x'.repeat(4_000_000); store('a', big); store('a', big); store('b', big); store('c', big)",
    );
    expect(script.done()?.error?.text).toMatch(/no more room to store/);
  });

  test("stored values are bounded in number, those of earlier cells included", async () => {
    const stored = Object.fromEntries(Array.from({ length: 4_000 }, (_, nth) => [`before ${nth}`, 0]));
    const script = await startScript(
      `let n = 0;
       try { for (; n < 100_000; n += 1) store("key" + n % 8_000, n) } catch (e) { text(e.message) }
       text(n);
       store("before 0", 1);`,
      { stored },
    );
    const [message, count] = script.texts();
    expect(message).toMatch(/no more room to store/);
    expect(Number(count)).toBeGreaterThan(4_000);
    expect(Number(count)).toBeLessThan(4_200);
    // What is there already can still be written anew.
    expect(script.done()).toMatchObject({ error: null, stored: { "before 0": 1 } });
  });
});
