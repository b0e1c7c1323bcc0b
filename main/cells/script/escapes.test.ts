// What a script finds in its world, and what it does not. The list of names is complete: one that a newer QuickJS adds
// fails here until somebody has looked at it.

import { describe, expect, test } from "vitest";
import { startScript } from "./testSandbox";

const ofTheLanguage = [
  "AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError",
  "FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError",
  "Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String",
  "Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet",
  "decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt",
  "undefined unescape",
].flatMap((line) => line.split(" "));
const given =
  "clearInterval clearTimeout console image load notify setInterval setTimeout store text tools".split(" ");

async function result(script: string): Promise<unknown> {
  const started = await startScript(script);
  expect(started.done()?.error, started.done()?.error?.text).toBeNull();
  return JSON.parse(started.texts().join("") || "null");
}

describe("the world of a script", () => {
  test("has the language, what it was given, and nothing else", async () => {
    const names = await result("text(JSON.stringify(Reflect.ownKeys(globalThis).map(String)))");
    const expected = [...ofTheLanguage, ...given, "Symbol(Symbol.toStringTag)"];
    expect((names as string[]).sort()).toEqual(expected.sort());
  });

  test("has the tools, and no way to add one", async () => {
    expect(
      await result(`
        let added = false;
        try { tools.more = () => {}; added = true; } catch {}
        try { tools.ask = () => {}; added = true; } catch {}
        text(JSON.stringify([Object.keys(tools), added, Object.isFrozen(tools)]))`),
    ).toEqual([["ask", "listThreads"], false, true]);
  });

  test.each([
    "process",
    "require",
    "module",
    "exports",
    "__dirname",
    "Buffer",
    "global",
    "window",
    "self",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "WebAssembly",
    "Worker",
    "parentPort",
    "postMessage",
    "structuredClone",
    "queueMicrotask",
    "performance",
    "std",
    "os",
    "scriptArgs",
    "outside",
    "electron",
  ])("has no %s, by whatever way", async (name) => {
    expect(
      await result(`
        const ways = [
          () => eval("typeof ${name}"),
          () => typeof globalThis.${name},
          () => new Function("return typeof ${name}")(),
          () => (0, eval)("typeof ${name}"),
          () => [].constructor.constructor("return typeof ${name}")(),
          () => (async () => {}).constructor("return typeof ${name}") && "undefined",
        ];
        text(JSON.stringify([...new Set(ways.map((way) => way()))]))`),
    ).toEqual(["undefined"]);
  });

  test.each([
    "fs",
    "node:fs",
    "std",
    "os",
    "./sandbox.js",
    "/etc/passwd",
    "file:///etc/passwd",
    "data:text/javascript,1",
    "https://example.org/a.js",
    "quickjs-emscripten-core",
  ])("imports no %s", async (name) => {
    const asked = await startScript(`await import(${JSON.stringify(name)})`);
    expect(asked.done()?.error?.text).toMatch(/^ReferenceError: could not load module/);
    const linked = await startScript(`import x from ${JSON.stringify(name)}; text(x)`);
    expect(linked.done()?.error?.text).toMatch(/^ReferenceError: could not load module/);
  });

  test("knows nothing of where it is", async () => {
    expect(await result("text(JSON.stringify(Object.keys(import.meta)))")).toEqual([]);
    const script = await startScript("try { null.x } catch (e) { text(e.stack) }");
    expect(script.texts().join()).toBe("    at <anonymous> (script.js:1:11)\n");
  });
});

describe("what a script is given", () => {
  test("leads back to the script's own world only", async () => {
    expect(
      await result(
        `
        const values = [text, image, notify, store, load, setTimeout, setInterval, clearTimeout, console, console.log, tools, tools.ask];
        const strange = [];
        const seen = new Set();
        function look(value, path) {
          if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
          seen.add(value);
          if (typeof value === "function" && value !== Function.prototype && !(value instanceof Function)) strange.push(path);
          if (typeof value === "object" && Object.getPrototypeOf(value) !== null && !(value instanceof Object)) strange.push(path);
          look(Object.getPrototypeOf(value), path + ".__proto__");
          for (const key of Reflect.ownKeys(value)) {
            const property = Object.getOwnPropertyDescriptor(value, key);
            for (const part of ["value", "get", "set"]) look(property[part], path + "." + String(key));
          }
        }
        values.forEach((value, index) => look(value, String(index)));
        text(JSON.stringify([strange, seen.size > 50]))`,
      ),
    ).toEqual([[], true]);
  });

  test("says nothing of how it is made", async () => {
    expect(
      await result("text(JSON.stringify([text.caller, text.arguments].map((v) => v ?? null)))").catch(
        (error: unknown) => String(error),
      ),
    ).toMatch(/invalid property access|null|TypeError/);
    const script = await startScript("text(typeof text.constructor('return outside'))");
    expect(script.texts()).toEqual(["function"]);
    const asked = await startScript("text.constructor('return outside')()");
    expect(asked.done()?.error?.text).toMatch(/^ReferenceError: 'outside' is not defined/);
  });

  test("works on after the script has changed the language under it", async () => {
    const script = await startScript(`
      JSON.stringify = JSON.parse = () => "forged";
      Object.prototype.toJSON = function () { return "forged" };
      Object.freeze = Object.create = String = Promise = Error = null;
      Array.prototype[Symbol.iterator] = null;
      Function.prototype.call = Function.prototype.apply = () => { throw 1 };
      Object.defineProperty(Object.prototype, "resolve", { get() { throw 2 }, set() { throw 3 } });
      Object.defineProperty(Object.prototype, 1, { get() { throw 4 }, set() { throw 5 } });
      text("a");
      const answer = await tools.ask({ q: 1 });
      text(answer.x + answer.__proto__);`);
    expect(script.calls()).toEqual([{ id: 1, name: "ask", args: "forged" }]);
    script.sandbox.receive({ type: "answer", id: 1, ok: true, value: '{"x":"b","__proto__":"own"}' });
    expect(script.texts()).toEqual(["a", "bown"]);
    expect(script.done()?.error).toBeNull();
  });

  test("gives an answer that is only data", async () => {
    const script = await startScript(`
      const answer = await tools.ask();
      text(JSON.stringify([
        Object.getPrototypeOf(answer) === Object.prototype,
        Object.getPrototypeOf(answer.list) === Array.prototype,
        typeof answer.then, Object.keys(answer), ({}).polluted === undefined,
      ]));`);
    script.sandbox.receive({
      type: "answer",
      id: 1,
      ok: true,
      value:
        '{"list":[1],"then":"no function","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    });
    expect(JSON.parse(script.texts().join())).toEqual([
      true,
      true,
      "string",
      ["list", "then", "__proto__", "constructor"],
      true,
    ]);
  });

  test("cannot be called with what is no text or number behind the back of the prelude", async () => {
    // The functions that lead outside are in no scope, property, error or argument that the script can see.
    const script = await startScript(`
      const found = [];
      Error.prepareStackTrace = (e, sites) => sites;
      Object.defineProperty(Array.prototype, "push", { value() { found.push("push") } });
      Object.defineProperty(Object.prototype, "text", { set(v) { found[found.length] = v }, get() { return undefined } });
      Object.defineProperty(Object.prototype, "call", { set(v) { found[found.length] = v }, get() { return undefined } });
      globalThis.Promise = class { constructor(f) { found[found.length] = f } };
      notify("x"); store("k", { text: 1 }); load("k"); void tools.ask({ call: 1 });
      text(String(found.length));`);
    script.answer(1, null);
    expect(script.texts()).toEqual(["0"]);
  });
});
