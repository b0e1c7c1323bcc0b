import { describe, expect, it, vi } from "vitest";
import { openTestClient } from "./testTransport";

describe("what codex asks", () => {
  it("is handed over and answered once, also under id 0 and under a text", async () => {
    const asked: unknown[] = [];
    const { client, transport } = await openTestClient({ onRequest: (request) => asked.push(request) > 0 });
    transport.say({ id: 0, method: "item/fileChange/requestApproval", params: { a: 1 } });
    transport.say({ id: "0", method: "item/fileChange/requestApproval" });
    expect(asked).toEqual([
      { id: 0, method: "item/fileChange/requestApproval", params: { a: 1 } },
      { id: "0", method: "item/fileChange/requestApproval", params: undefined },
    ]);
    expect([client.respond(0, { decision: "accept" }), client.respond(0, { decision: "decline" })]).toEqual([
      true,
      false,
    ]);
    expect([client.respondError("0", -1, "no"), client.respond("0", {}), client.respond(7, {})]).toEqual([
      true,
      false,
      false,
    ]);
    expect(transport.sent).toEqual([
      { id: 0, result: { decision: "accept" } },
      { id: "0", error: { code: -1, message: "no" } },
    ]);
  });

  it("is refused when nobody takes it, or when its handler fails", async () => {
    const onUnknownRequest = vi.fn(() => {
      throw new Error("must not stop the reader");
    });
    const { client, transport, heard } = await openTestClient({
      onUnknownRequest,
      onRequest: ({ method }) => {
        if (method === "broken") throw new Error("bug");
        return false;
      },
    });
    transport.say({ id: 99, method: "future/unknownRequest", params: { a: 1 } });
    transport.say({ id: 100, method: "broken" });
    transport.say({ method: "still/read" });
    expect(transport.sent).toEqual([
      {
        id: 99,
        error: { code: -32601, message: "Holdfast does not know the request future/unknownRequest." },
      },
      { id: 100, error: { code: -32603, message: "Holdfast failed while handling this request." } },
    ]);
    expect(onUnknownRequest.mock.calls).toEqual([
      [{ id: 99, method: "future/unknownRequest", params: { a: 1 } }],
    ]);
    expect(client.counters).toMatchObject({ unknownRequests: 1, handlerErrors: 2 });
    expect([client.respond(99, {}), heard]).toEqual([false, [["still/read", undefined]]]);
  });

  it("can be answered in its handler", async () => {
    const answers: boolean[] = [];
    const { client, transport } = await openTestClient({
      onRequest: ({ id }) => {
        answers.push(client.respond(id, undefined), client.respond(id, 1));
        return true;
      },
    });
    transport.say({ id: 1, method: "x" });
    expect([answers, transport.sent]).toEqual([[true, false], [{ id: 1, result: null }]]);
  });

  it("is not answered any more when it was settled elsewhere", async () => {
    const { client, transport, heard } = await openTestClient();
    transport.say({ id: 7, method: "item/fileChange/requestApproval" });
    transport.say({ method: "serverRequest/resolved", params: { threadId: "T", requestId: 7 } });
    expect(client.respond(7, {})).toBe(false);
    expect(heard).toEqual([["serverRequest/resolved", { threadId: "T", requestId: 7 }]]);
  });

  it("again is answered again", async () => {
    const { client, transport } = await openTestClient();
    for (let round = 0; round < 2; round++) {
      transport.say({ id: 7, method: "item/fileChange/requestApproval" });
      expect([client.respond(7, { round }), client.respond(7, {})]).toEqual([true, false]);
    }
    expect(transport.sent).toEqual([
      { id: 7, result: { round: 0 } },
      { id: 7, result: { round: 1 } },
    ]);
  });
});
