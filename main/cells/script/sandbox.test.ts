import { describe, expect, test } from "vitest";
import { startScript } from "./testSandbox";

const fine = { error: null, stored: {} };

describe("a script", () => {
  test("writes text, comes to its end, and is done", async () => {
    const script = await startScript('text("done");');
    expect(script.texts()).toEqual(["done"]);
    expect(script.done()).toEqual(fine);
    expect(script.isOver()).toBe(true);
  });

  test("writes what is no string as JSON, and what JSON has no word for as the language shows it", async () => {
    const script = await startScript(
      "text({ a: [1] }); text(undefined); text(10n); text(null); const c = {}; c.c = c; text(c); text(() => 1);",
    );
    expect(script.done()).toEqual(fine);
    expect(script.texts()).toEqual([
      '{\n  "a": [\n    1\n  ]\n}',
      "undefined",
      "10",
      "null",
      "[object Object]",
      "() => 1",
    ]);
  });

  test("writes to the console what goes to the output", async () => {
    const script = await startScript('console.log("a", 1, { b: 2 }); console.error(new TypeError("no"));');
    expect(script.texts()[0]).toBe('a 1 {\n  "b": 2\n}');
    expect(script.texts()[1]).toMatch(/^TypeError: no\n/);
  });

  test("shows pictures that come with it, and no address that would have to be loaded", async () => {
    const png = "data:image/png;base64,iVBORw0KGgo=";
    const shown = await startScript(`image("${png}"); image({ data: "aGk=", mimeType: "image/webp" });`);
    expect(shown.output()).toEqual([
      { type: "image", dataUrl: png },
      { type: "image", dataUrl: "data:image/webp;base64,aGk=" },
    ]);
    for (const address of ["https://example.org/a.png", "file:///etc/passwd", "data:text/html;base64,aGk="]) {
      const refused = await startScript(`image("${address}")`);
      expect(refused.done()?.error?.text).toMatch(/^Error: A picture is a data: address/);
      expect(refused.output()).toEqual([]);
    }
  });

  test("calls a tool, and goes on with what it answers", async () => {
    const script = await startScript('text((await tools.ask({ question: "who?" })).answer)');
    expect(script.calls()).toEqual([{ id: 1, name: "ask", args: { question: "who?" } }]);
    expect(script.said.at(-1)).toMatchObject({ type: "idle", answers: 0, waitsFor: "answer" });
    script.answer(1, { answer: "me" });
    expect(script.texts()).toEqual(["me"]);
    expect(script.done()).toEqual(fine);
  });

  test("gets an error of a tool as a plain Error", async () => {
    const script = await startScript(
      "try { await tools.ask() } catch (e) { text([e.constructor === Error, e.message, Object.keys(e)]) }",
    );
    script.refuse(1, "nobody there");
    expect(JSON.parse(script.texts()[0] ?? "")).toEqual([true, "nobody there", []]);
  });

  test("sees where a call was made that has failed, and so does who reads the error", async () => {
    const script = `async function ask() {
      await null;
      return tools.ask();
    }
    try { await ask(); } catch (e) { text(/script\\.js:\\d+/.exec(e.stack)[0]); throw e; }`;
    const started = await startScript(script);
    started.refuse(1, "nobody there");
    expect(started.texts()).toEqual(["script.js:3"]);
    expect(started.done()?.error).toMatchObject({
      text: expect.stringMatching(/^Error: nobody there\n {4}at ask \(script\.js:3:\d+\)/),
      at: { line: 3 },
    });
  });

  test.each([
    ["startThred", "There is no tool “startThred”."],
    ["listThread", "There is no tool “listThread”; did you mean listThreads?"],
    ["aks", "There is no tool “aks”; did you mean ask?"],
    ["x", "There is no tool “x”."],
    ["listthreads", "There is no tool “listthreads”; did you mean listThreads?"],
    ["x".repeat(500), `There is no tool “${"x".repeat(500)}”.`],
  ])("is told that there is no tool %s", async (name, message) => {
    const script = await startScript(`\nawait tools.${name}({});`);
    expect(script.calls()).toEqual([]);
    expect(script.done()?.error).toMatchObject({
      text: expect.stringContaining(`Error: ${message}\n`),
      at: { line: 2 },
    });
  });

  test("may hand its tools on, wait for them, write them and ask what there is", async () => {
    const script = await startScript(
      'const same = await tools; text(same === tools, "ask" in tools, "tell" in tools, tools.then, JSON.stringify(tools), String(tools));',
    );
    expect(script.texts()).toEqual(["true true false undefined {} [object Object]"]);
    expect(script.done()).toEqual(fine);
  });

  test("writes everything that it gives to text", async () => {
    const script = await startScript('text("a", { b: 1 }, undefined); text();');
    expect(script.texts()).toEqual(['a {\n  "b": 1\n} undefined', ""]);
  });

  test("makes calls at the same time; each gets its own answer, in whatever order, and only once", async () => {
    const script = await startScript(
      "text(await Promise.all([1, 2, 3].map((n) => tools.ask({ n }).then((a) => a * 10))))",
    );
    script.answer(3, 3);
    script.answer(1, 1);
    script.answer(1, 7);
    expect(script.done()).toBeUndefined();
    script.answer(2, 2);
    expect(JSON.parse(script.texts()[0] ?? "")).toEqual([10, 20, 30]);
    expect(script.done()).toEqual(fine);
  });

  test("is not at its end while a call that it does not wait for is under way", async () => {
    const script = await startScript('void tools.ask().then(() => text("later")); text("now");');
    expect(script.done()).toBeUndefined();
    expect(script.texts()).toEqual(["now"]);
    script.answer(1, null);
    expect(script.texts()).toEqual(["now", "later"]);
    expect(script.done()).toEqual(fine);
  });

  test("notifies and goes on", async () => {
    const script = await startScript('text(String(notify("look")));');
    expect(script.said).toContainEqual({ type: "notify", text: "look" });
    expect(script.output()[0]).toEqual({ type: "notice", text: "look" });
    expect(script.texts()).toEqual(["undefined"]);
    expect(script.done()).toEqual(fine);
  });

  test("stores, loads what it and earlier ones have stored, and says what is to be kept", async () => {
    const script = await startScript(
      'text([load("old"), load("none") === undefined]); store("new", { a: 1 }); text(load("new").a); store("__proto__", 1)',
      { stored: { old: [1, 2] } },
    );
    expect(script.texts()).toEqual(["[\n  [\n    1,\n    2\n  ],\n  true\n]", "1"]);
    expect(script.done()?.error).toBeNull();
    const done = script.said.at(-1);
    expect(done?.type === "done" && [...done.stored]).toEqual([
      ["new", '{"a":1}'],
      ["__proto__", "1"],
    ]);
  });

  test("crosses with every text as it is, also with a NUL or half a pair of surrogates in it", async () => {
    const script = await startScript(`
      const odd = "a\\0b\\ud800c";
      text(odd);
      console.log(odd, 1);
      notify(odd);
      store(odd, odd);
      store("a", "another");
      text([load(odd) === odd, load("a")].join());
      try { await tools.ask({ odd }); } catch (e) { text(e.message); }
      throw new Error(odd);`);
    const odd = "a\0b\ud800c";
    expect(script.calls()).toMatchObject([{ args: { odd } }]);
    script.refuse(1, odd);
    expect(script.output()).toEqual([
      { type: "text", text: odd },
      { type: "text", text: `${odd} 1` },
      { type: "notice", text: odd },
      { type: "text", text: "true,another" },
      { type: "text", text: odd },
    ]);
    expect(script.said).toContainEqual({ type: "notify", text: odd });
    expect(script.done()).toMatchObject({ stored: { [odd]: odd, a: "another" } });
    expect(script.done()?.error?.text).toContain(`Error: ${odd}`);
  });

  test("has timers, repeating ones too, and waits for nothing else then", async () => {
    const script = await startScript(`
      const stop = setTimeout(() => text("never"), 50);
      let n = 0;
      const every = setInterval((word) => { text(word + ++n); if (n === 2) clearInterval(every); }, 100, "tick ");
      clearTimeout(stop);
      await new Promise((resolve) => setTimeout(resolve, 120));
      text("woken");`);
    expect(script.said.at(-1)).toMatchObject({ type: "idle", waitsFor: "timer" });
    script.clock.advance(99);
    expect(script.texts()).toEqual([]);
    script.clock.advance(21);
    expect(script.texts()).toEqual(["tick 1", "woken"]);
    expect(script.done()).toBeUndefined();
    script.clock.advance(80);
    expect(script.texts()).toEqual(["tick 1", "woken", "tick 2"]);
    expect(script.done()).toEqual(fine);
    expect(script.clock.pendingCount).toBe(0);
  });

  test("has timers in the order in which they are due, what each sets going before the next", async () => {
    const script = await startScript(`
      setTimeout(() => { text("c"); }, 3);
      setTimeout(() => { text("a"); Promise.resolve().then(() => text("a's")); setTimeout(() => text("d"), 1); }, 2);
      setTimeout(() => text("b"), 2);`);
    script.clock.advance(1_000);
    expect(script.texts()).toEqual(["a", "a's", "b", "c", "d"]);
    expect(script.done()).toEqual(fine);
  });

  test("with very many short timers is woken a few hundred times a second, and no more", async () => {
    const script = await startScript(`
      let fired = 0;
      for (let i = 0; i < 500; i += 1) setInterval(() => { fired += 1 }, 1);
      setTimeout(() => text(fired), 1_000);`);
    const before = script.said.length;
    script.clock.advance(1_004);
    expect(script.said.slice(before).filter(({ type }) => type === "busy").length).toBeLessThanOrEqual(252);
    expect(Number(script.texts()[0])).toBeGreaterThan(500 * 200);
    script.stop();
    expect(script.clock.pendingCount).toBe(0);
  });

  test("may wait longer than a timer of the system can", async () => {
    const script = await startScript("setTimeout(() => text('after'), 1e12)");
    script.clock.advance(2 ** 31 - 2);
    expect(script.texts()).toEqual([]);
    script.stop();
  });

  test("that waits for what never comes is told so", async () => {
    const script = await startScript('text("a"); await new Promise(() => {});');
    expect(script.done()?.error?.text).toMatch(/^The script waits for something that never comes/);
  });

  test("that was told to stop says nothing more; its timers are gone", async () => {
    const script = await startScript(
      'text("a"); setInterval(() => text("b"), 10); await tools.ask(); text("c")',
    );
    script.stop();
    expect(script.isOver()).toBe(true);
    expect(script.clock.pendingCount).toBe(0);
    script.answer(1, null);
    expect(script.texts()).toEqual(["a"]);
    expect(script.done()).toBeUndefined();
  });
});

describe("an error of a script", () => {
  const at = (line: number, column: number) => ({ line, column });
  test.each([
    ["let a = 1;\nlet b = ;", /^SyntaxError: unexpected token/, { line: 2, column: 9 }],
    ["text(1);\nnull.x", /^TypeError: cannot read property 'x' of null/, { line: 2, column: 5 }],
    ["await 0;\n  undefined()", /^TypeError: not a function/, { line: 2, column: 12 }],
    ["nowhere", /^ReferenceError: 'nowhere' is not defined/, { line: 1, column: 1 }],
    ["return 1", /^SyntaxError: return not in a function/, { line: 1, column: 1 }],
    ["throw { code: 5 }", /^Thrown: \{\n {2}"code": 5\n\}$/, null],
    ["await Promise.reject('word')", /^Thrown: word$/, null],
    ["setTimeout(() => { throw new Error('late') })", /^Error: late/, { line: 1, column: 35 }],
    [
      "throw new Error('outer', { cause: 'inner' })",
      /^Error: outer\n.*script.js:1.*\nCaused by: inner$/,
      at(1, 16),
    ],
    ["const e = new Error('round'); e.cause = e; throw e", /^Error: round\n(.*\n.*\n){3}.*$/, at(1, 20)],
    [
      "await Promise.any([undefined, 0].map(async (f) => f()))",
      /One of them: TypeError: not a function\n/,
      at(1, 18),
    ],
    ["import fs from 'fs'", /^ReferenceError: could not load module 'fs'/, null],
  ])("%s", async (text, message, at) => {
    const script = await startScript(text);
    script.clock.advance(1);
    expect(script.done()?.error?.text).toMatch(message);
    expect(script.done()?.error?.at).toEqual(at);
    expect(script.done()?.error?.text).not.toContain("cell:");
  });

  test("ends it at once, whatever it has begun", async () => {
    const script = await startScript("tools.ask(); setInterval(() => {}, 1); throw new Error('x')");
    expect(script.done()?.error?.text).toMatch(/^Error: x/);
    expect(script.clock.pendingCount).toBe(0);
  });

  test("that lies about itself is shown as far as it can be", async () => {
    for (const lie of [
      "throw new Proxy(new Error('p'), { get() { throw 1 } })",
      "const e = new Error(); Object.defineProperty(e, 'stack', { get() { return e.stack } }); throw e",
      "const e = new Error(); e.message = { toString() { throw e } }; throw e",
      "throw { toJSON() { throw 1 }, toString() { throw 2 } }",
      "Error.prototype.toString = null; Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1 } }); throw new Error('x')",
    ]) {
      const script = await startScript(lie);
      expect(script.done()?.error?.text, lie).toMatch(/\w+/);
      expect(script.isOver()).toBe(true);
    }
  });
});
