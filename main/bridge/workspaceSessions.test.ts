import { describe, expect, test } from "vitest";
import { Fault } from "../fault";
import { viewSession } from "./workspaceSessions";

const killed = new Fault("codex_exited", "codex was killed (SIGKILL).", {
  hint: "Holdfast starts codex again when it is needed.",
});

describe("a session as a window shows it", () => {
  test("has ended against anybody's wish: why, and that it comes back by itself", () => {
    const view = viewSession({ phase: "stopped", fault: killed, broken: false });
    expect(view).toMatchObject({
      state: "disconnected",
      fault: {
        message: "codex was killed (SIGKILL).",
        hint: "Holdfast starts codex again when it is needed.",
      },
    });
  });

  test("has ended too often: it says that it does not come back by itself", () => {
    const view = viewSession({ phase: "stopped", fault: killed, broken: true });
    if (view.state !== "disconnected") throw new Error("it is not shown as disconnected");
    expect(view.fault.message).toBe("codex was killed (SIGKILL).");
    expect(view.fault.hint).toContain("does not start it by itself any more");
  });

  test("that nobody has needed yet, or that was closed, is merely stopped", () => {
    expect(viewSession(null)).toEqual({ state: "stopped" });
    expect(viewSession({ phase: "stopped", fault: null, broken: false })).toEqual({ state: "stopped" });
  });
});
