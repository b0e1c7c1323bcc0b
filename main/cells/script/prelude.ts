// The part of the sandbox that is written in the sandbox's own language. It runs before the script, in the same world, takes
// the few functions that lead outside, and puts before them what a script finds. What leads outside takes and gives strings
// and numbers only, and is held here and nowhere else: no value of the outside, and no prototype of one, is ever in reach.
//
// The script may change everything that is in its world, so whatever is needed afterwards is taken out of it first, and what
// belongs to the prelude has no prototype. It can harm nobody but itself.

/** Names it in the traces of errors, which are shown without it. */
export const preludeFile = "cell";

/**
 * A function of what leads outside, the names of the tools (as JSON), the longest value that may cross and the longest text.
 * It returns what the outside calls.
 */
export const prelude = `(function (outside, toolNames, longestValue, longestText) {
  "use strict";
  const { stringify, parse } = JSON;
  const PlainPromise = Promise;
  const PlainError = Error;
  const PlainString = String;
  const PlainProxy = Proxy;
  const { freeze, create, defineProperty } = Object;
  const { isWellFormed, includes, toLowerCase } = String.prototype;
  const apply = Reflect.apply;
  const isArray = Array.isArray;
  const isError = (value) => value instanceof PlainError;

  const calls = create(null);
  const timers = create(null);
  let lastId = 0;

  const failed = (what) => new PlainError(what);

  /** As JSON; what JSON has no word for is null. */
  function written(value, what) {
    const json = stringify(value);
    const text = json === undefined ? "null" : json;
    if (text.length > longestValue) throw failed(what + " is too large.");
    return text;
  }

  function readable(value) {
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null) {
      if (isError(value)) return described(value);
      try {
        const json = stringify(value, undefined, 2);
        if (json !== undefined) return json;
      } catch {
        // A circle, a bigint: shown as the language shows it.
      }
    }
    return PlainString(value);
  }

  /** With what has caused it; \`depth\`: how far below the error that was thrown. */
  function described(error, depth = 0) {
    const trace = typeof error.stack === "string" ? error.stack : "";
    let text = PlainString(error.name) + ": " + PlainString(error.message) + (trace === "" ? "" : "\\n" + trace);
    if (depth >= 3) return text;
    const shown = (value) => (isError(value) ? described(value, depth + 1) : readable(value));
    const { cause, errors } = error;
    if (isArray(errors)) {
      for (let index = 0; index < errors.length && index < 5; index += 1) text += "\\nOne of them: " + shown(errors[index]);
    }
    return cause === undefined ? text : text + "\\nCaused by: " + shown(cause);
  }

  /** A NUL would end a text on its way, and half a pair of surrogates would not arrive: such a text crosses as JSON. */
  function cross(send, text) {
    if (apply(isWellFormed, text, []) && !apply(includes, text, ["\\0"])) send(text, 0);
    else send(stringify(text), 1);
  }

  function put(text) {
    // One that cannot be taken is not copied either.
    if (text.length > longestText) outside.tooMuch();
    else cross(outside.text, text);
  }

  /** error: made where the call was, which is what its trace says if the call fails. */
  function call(name, args, error) {
    return new PlainPromise((resolve, reject) => {
      const json = written(args === undefined ? {} : args, "What tools." + name + " was called with");
      const id = ++lastId;
      outside.call(id, name, json);
      calls[id] = { resolve, reject, error };
    });
  }

  function keyOf(key) {
    const text = PlainString(key);
    if (text.length > 200) throw failed("A key may have 200 characters.");
    return stringify(text);
  }

  function timer(repeats) {
    return (task, delayMs, ...args) => {
      if (typeof task !== "function") throw failed("A timer needs a function.");
      const id = ++lastId;
      const delay = +delayMs;
      timers[id] = { task, args, repeats };
      outside.setTimer(id, delay > 0 ? delay : 0, repeats ? 1 : 0);
      return id;
    };
  }

  function clear(id) {
    if (typeof id !== "number" || timers[id] === undefined) return;
    delete timers[id];
    outside.clearTimer(id);
  }

  const say = (...values) => {
    let line = "";
    for (let index = 0; index < values.length; index += 1) line += (index === 0 ? "" : " ") + readable(values[index]);
    put(line);
  };

  const given = {
    text: say,
    image(picture) {
      const isParts = typeof picture === "object" && picture !== null;
      const address = isParts
        ? "data:" + PlainString(picture.mimeType) + ";base64," + PlainString(picture.data)
        : PlainString(picture);
      if (address.length > longestText) outside.tooMuch();
      else outside.image(address);
    },
    notify(message) {
      const text = readable(message);
      if (text.length > longestValue) throw failed("This notification is too long.");
      cross(outside.notify, text);
    },
    store(key, value) {
      outside.store(keyOf(key), written(value, "What is to be stored"));
    },
    load(key) {
      const json = outside.load(keyOf(key));
      return json === undefined ? undefined : parse(json);
    },
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: clear,
    clearInterval: clear,
  };

  given.console = freeze({ log: say, info: say, warn: say, error: say, debug: say });

  const tools = {};
  const names = parse(toolNames);

  function unknownTool(name) {
    const what = "There is no tool “" + name + "”";
    let nearest = "";
    let least = 4;
    for (let index = 0; index < names.length && name.length <= 40; index += 1) {
      const away = distance(apply(toLowerCase, name, []), apply(toLowerCase, names[index], []));
      // Of a short name hardly anything would be left.
      if (away < least && away * 2 <= name.length + 1) {
        least = away;
        nearest = names[index];
      }
    }
    return nearest === "" ? what + "." : what + "; did you mean " + nearest + "?";
  }

  /** How many letters must be put in, taken out or changed. */
  function distance(one, other) {
    let row = create(null);
    for (let at = 0; at <= other.length; at += 1) row[at] = at;
    for (let line = 1; line <= one.length; line += 1) {
      const next = create(null);
      next[0] = line;
      for (let at = 1; at <= other.length; at += 1) {
        const changed = row[at - 1] + (one[line - 1] === other[at - 1] ? 0 : 1);
        const added = (row[at] < next[at - 1] ? row[at] : next[at - 1]) + 1;
        next[at] = changed < added ? changed : added;
      }
      row = next;
    }
    return row[other.length];
  }

  for (let index = 0; index < names.length; index += 1) {
    const name = names[index];
    tools[name] = (args) => call(name, args, failed(""));
  }
  freeze(tools);
  given.tools = new PlainProxy(tools, {
    __proto__: null,
    get(target, key) {
      // What is thenable, or knows how it is written as JSON, is asked for by the language.
      if (typeof key !== "string" || key in target || key === "then" || key === "toJSON") return target[key];
      throw failed(unknownTool(key));
    },
  });

  for (const name of Object.keys(given)) {
    defineProperty(globalThis, name, { value: given[name], writable: true, enumerable: false, configurable: true });
  }

  return {
    __proto__: null,
    answer(id, ok, text) {
      const waiting = calls[id];
      if (waiting === undefined) return;
      delete calls[id];
      if (ok) waiting.resolve(parse(text));
      else {
        waiting.error.message = parse(text);
        waiting.reject(waiting.error);
      }
    },
    fire(id) {
      const due = timers[id];
      if (due === undefined) return;
      if (!due.repeats) delete timers[id];
      apply(due.task, undefined, due.args);
    },
    describe(error) {
      const text = isError(error) ? described(error) : "Thrown: " + readable(error);
      return stringify(text.length > longestValue ? "An error whose text is too long to be shown." : text);
    },
  };
})`;
