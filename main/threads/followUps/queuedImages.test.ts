// A follow-up with an image, which codex has as data while it waits and afterwards: it stays the file that was attached.

import { describe, expect, it } from "vitest";
import { codexTurn, listed, resumed, userItem } from "../testCodexData";
import { begin, bench, codex, end, opened, prepareBench, T } from "../testDelivery";
import { settle } from "../testThreads";

prepareBench();

const changes = () => bench.threads.runtime(T).followUpChanges;

const entry = (clientId: string, text: string) => ({
  id: `q-${clientId}`,
  clientUserMessageId: clientId,
  input: [{ type: "text", text, text_elements: [] }],
  responsesapiClientMetadata: null,
});

/** codex's queue from now on, which it tells of. */
function queueIs(...entries: Record<string, unknown>[]): void {
  bench.rule("thread/queue/list", () => listed(entries));
  codex().say("thread/queue/changed", { threadId: T });
}

describe("an image in codex's queue", () => {
  // codex reads the file when it is queued, and lists what was in it.
  const image = { kind: "image" as const, path: "/kept/shot.png", name: "shot.png", bytes: 3 };
  const data = { type: "image", url: "data:image/png;base64,AAAA" };

  async function waits() {
    await opened();
    begin("t2");
    const clientId = "with-image";
    bench.threads.send(T, { clientId, text: "Look", attachments: [image], mode: "queue" });
    await settle();
    expect(codex().only("thread/queue/add").params.input).toContainEqual({
      type: "localImage",
      path: image.path,
    });
    const plain = entry(clientId, "Look");
    const listedEntry = { ...plain, input: [...plain.input, data] };
    codex().only("thread/queue/add").answer({ queuedSubmission: listedEntry });
    queueIs(listedEntry);
    await settle();
    return { clientId, listedEntry };
  }

  const attachments = () => bench.threads.runtime(T).state.facts.followUps.entries[0]?.attachments;

  it("is still the file that was attached, and is steered as that", async () => {
    const { clientId } = await waits();
    expect(attachments()).toEqual([image]);
    expect(bench.ledger.submissions.get(clientId)?.attachments).toEqual([image]);
    const sent = changes().sendNow(clientId);
    await settle();
    codex().only("thread/queue/delete").answer({ deleted: true });
    expect(await sent).toBe("changed");
    await settle();
    expect(codex().only("turn/steer").params.input).toContainEqual({ type: "localImage", path: image.path });
  });

  it("is shown as that file in the conversation, live and when it is loaded anew", async () => {
    const { clientId, listedEntry } = await waits();
    queueIs();
    end("t2");
    begin("t3");
    const said = { ...userItem("u3", "Look", clientId), content: [...listedEntry.input] };
    codex().say("item/started", { threadId: T, turnId: "t3", item: said, startedAtMs: 1 });
    codex().say("item/completed", { threadId: T, turnId: "t3", item: said, completedAtMs: 1 });
    await settle();
    const shown = () => {
      const item = bench.threads.runtime(T).state.transcript.sentMessage(clientId);
      return item?.kind === "user" ? [item.text, item.attachments] : null;
    };
    const file = { ...image, bytes: 0 };
    expect(shown()).toEqual(["Look", [file]]);
    end("t3");
    await settle();
    bench.rule("thread/resume", () => resumed(T, [codexTurn("t3", "completed", [said])]));
    await bench.kill();
    await bench.reconnect();
    await settle();
    expect(shown()).toEqual(["Look", [file]]);
  });

  it("stays as it is there when the words are edited, here or by another client", async () => {
    const { clientId, listedEntry } = await waits();
    const edited = changes().edit(clientId, { text: "Look again", attachments: [image] });
    await settle();
    const text = { type: "text", text: "Look again", text_elements: [] };
    expect(codex().only("thread/queue/update").params.input).toEqual([text, data]);
    const now = { ...listedEntry, input: [text, data] };
    codex().only("thread/queue/update").answer({ queuedSubmission: now });
    expect(await edited).toBe("changed");
    queueIs({ ...listedEntry, input: [{ ...text, text: "Theirs" }, data] });
    await settle();
    expect(bench.ledger.submissions.get(clientId)).toMatchObject({ text: "Theirs", attachments: [image] });
  });

  it("can be taken out, and another one put in", async () => {
    const { clientId } = await waits();
    const other = { ...image, path: "/kept/other.png", name: "other.png" };
    void changes().edit(clientId, { text: "Look", attachments: [other] });
    await settle();
    expect(codex().only("thread/queue/update").params.input).toEqual([
      { type: "text", text: "Look", text_elements: [] },
      { type: "localImage", path: other.path },
    ]);
  });
});
