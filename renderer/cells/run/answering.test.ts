import { beforeEach, describe, expect, it } from "vitest";
import { connection } from "../../state/connection";
import { FakePort } from "../../state/testPort";
import { answering, sendAnswer, typeAnswer } from "./answering";

let port: FakePort;

beforeEach(() => {
  port = new FakePort();
  connection.attach(port);
  answering.setState({ typed: new Map(), sending: new Set(), wanted: null, shown: null });
});

const asked = () => port.calls("cells.answer");

describe("an answer", () => {
  it("is sent once, however often it is pressed, and stays inert until the question goes", async () => {
    typeAnswer("q", "main");
    const first = sendAnswer("q", "main");
    expect(await sendAnswer("q", "main")).toBe("busy");
    port.answer(asked()[0], { outcome: "sent" });
    expect(await first).toBe("sent");
    expect(await sendAnswer("q", "main")).toBe("busy");
    expect(asked()).toHaveLength(1);
    expect(answering.getState().typed.has("q")).toBe(false);
  });

  it("to a question that is gone keeps what was typed, and is no error", async () => {
    typeAnswer("q", "main");
    const sent = sendAnswer("q", "main");
    port.answer(asked()[0], { outcome: "gone" });
    expect(await sent).toBe("gone");
    expect(answering.getState().typed.get("q")).toBe("main");
  });

  it("that could not be sent can be sent again", async () => {
    const sent = sendAnswer("q", "main");
    port.fail(asked()[0], { code: "busy", message: "Not now.", retryable: true });
    expect(await sent).toBe("failed");
    void sendAnswer("q", "main");
    expect(asked()).toHaveLength(2);
  });
});

it("keeps what is typed for each question, and nothing for one that was emptied", () => {
  typeAnswer("a", "one");
  typeAnswer("b", "two");
  typeAnswer("a", "");
  expect([...answering.getState().typed]).toEqual([["b", "two"]]);
});
