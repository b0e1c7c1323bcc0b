import { describe, expect, it } from "vitest";
import { requestSchema } from "../../../preload/contract/requests";
import { type KnownRequest, viewRequest } from "../requestView";

function known(method: string, params: unknown): KnownRequest {
  const request = viewRequest({ key: "k", method, params, askedAtMs: 5 });
  if (request.unknown) throw new Error(`expected a known request, got: ${request.reason}`);
  expect(requestSchema.parse(request.view)).toEqual(request.view);
  return request;
}

const labels = (request: KnownRequest) => request.view.decisions.map(({ label }) => label);
const ids = (request: KnownRequest) => request.view.decisions.map(({ id }) => id);

describe("MCP servers", () => {
  const method = "mcpServer/elicitation/request";
  const from = { threadId: "thread", turnId: null, serverName: "tiny", environmentId: null, _meta: null };

  const form = {
    ...from,
    mode: "form",
    message: "Who?",
    requestedSchema: {
      type: "object",
      properties: {
        age: { type: "integer", minimum: 1 },
        color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
        name: { type: "string", title: "Name", description: "Your name", minLength: 2 },
        ok: { type: "boolean", default: true },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 1 },
        size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
        nested: { type: "object" },
      },
      required: ["name", "color"],
    },
  };

  it("a form becomes questions; the content has the types of the schema", () => {
    const request = known(method, form);
    expect(request.view).toMatchObject({ kind: "questions", title: "tiny: Who?", itemId: null });
    const questions = request.view.kind === "questions" ? request.view.questions : [];
    expect(questions.map(({ id, kind, required }) => [id, kind, required])).toEqual([
      ["age", "number", false],
      ["color", "choice", true],
      ["name", "text", true],
      ["ok", "boolean", false],
      ["tags", "choices", false],
      ["size", "choice", false],
    ]);
    expect(questions[1]?.options.map(({ label }) => label)).toEqual(["Red", "Green"]);
    expect(questions[3]?.question).toBe("(default: true)");
    const answers = { age: ["7"], color: ["g"], name: ["Bo"], ok: ["false"], tags: ["b"], size: [""] };
    expect(request.answer("accept", answers)).toEqual({
      action: "accept",
      content: { age: 7, color: "g", name: "Bo", ok: false, tags: ["b"] },
      _meta: null,
    });
  });

  it.each([
    [{ color: ["g"] }, "answer_missing"],
    [{ color: ["blue"], name: ["Bo"] }, "answer_invalid"],
    [{ color: ["g"], name: ["B"] }, "answer_invalid"],
    [{ color: ["g"], name: ["Bo"], age: ["1.5"] }, "answer_invalid"],
    [{ color: ["g"], name: ["Bo"], age: ["zero"] }, "answer_invalid"],
    [{ color: ["g"], name: ["Bo"], age: ["0"] }, "answer_invalid"],
    [{ color: ["g"], name: ["Bo"], tags: ["a", "b"] }, "answer_invalid"],
    [{ color: ["g"], name: ["Bo"], ok: ["perhaps"] }, "answer_invalid"],
  ])("what does not fit is refused here: %j", (answers, code) => {
    expect(known(method, form).answer("accept", answers)).toMatchObject({ code });
  });

  it.each([
    [
      "a required field that is not simple",
      "form",
      { type: "object", properties: { a: { type: "object" } }, required: ["a"] },
    ],
    ["no object", "form", { type: "string" }],
    ["no schema", "openai/form", null],
    ["a required field that is not there", "openaiForm", { type: "object", properties: {}, required: ["a"] }],
  ])("a form that cannot be shown can still be declined, and says so: %s", (_name, mode, requestedSchema) => {
    const request = known(method, { ...from, mode, message: "Who?", requestedSchema });
    expect(request.view).toMatchObject({ questions: [] });
    expect(request.view.kind === "questions" && request.view.title).toContain("cannot show");
    expect(ids(request)).toEqual(["decline", "cancel"]);
    expect(request.answer("decline")).toEqual({ action: "decline", content: null, _meta: null });
    expect(request.answer("cancel")).toEqual({ action: "cancel", content: null, _meta: null });
  });

  it("a link is shown as it is; only web addresses can be agreed to", () => {
    const link = {
      ...from,
      mode: "url",
      message: "Open this",
      url: "https://example.com/login",
      elicitationId: "e",
    };
    const request = known(method, link);
    expect(request.view).toMatchObject({ kind: "link", server: "tiny", url: "https://example.com/login" });
    expect(request.answer("accept")).toEqual({ action: "accept", content: null, _meta: null });
    for (const url of ["javascript:alert(1)", "file:///etc/passwd", "https://", ""]) {
      expect(ids(known(method, { ...link, url }))).toEqual(["decline", "cancel"]);
    }
  });

  it("approval of a tool call: what is called with what, and for how long a yes lasts", () => {
    const request = known(method, {
      ...from,
      turnId: "turn",
      mode: "form",
      _meta: {
        codex_approval_kind: "mcp_tool_call",
        persist: ["session", "always"],
        tool_name: "write_it",
        tool_params: { what: "x" },
        tool_params_display: [{ name: "what", value: "x", display_name: "what" }],
      },
      message: 'Allow the tiny MCP server to run tool "write_it"?',
      requestedSchema: { type: "object", properties: {} },
    });
    expect(request.view.kind === "questions" && request.view.title).toBe(
      'Allow the tiny MCP server to run tool "write_it"?\nwhat: x',
    );
    expect(labels(request)).toEqual([
      "Approve",
      "Approve for this session",
      "Always allow this tool",
      "Decline",
      "Cancel",
    ]);
    expect(request.view.decisions[2]?.scope).toBe("write_it of tiny");
    expect(request.answer("accept")).toEqual({ action: "accept", content: null, _meta: null });
    expect(request.answer("acceptForSession")).toMatchObject({ _meta: { persist: "session" } });
    expect(request.answer("acceptAlways")).toMatchObject({ _meta: { persist: "always" } });
  });

  it("a tool call that offers nothing lasting has no lasting button", () => {
    const meta = { codex_approval_kind: "mcp_tool_call", tool_name: "t" };
    const request = known(method, { ...from, mode: "form", _meta: meta, message: "May it?" });
    expect(ids(request)).toEqual(["accept", "decline", "cancel"]);
  });

  it.each(["openai/userVerification", "hologram"])("mode %s can be declined", (mode) => {
    expect(ids(known(method, { ...from, mode, message: "", title: "T" }))).toEqual(["decline", "cancel"]);
  });
});
