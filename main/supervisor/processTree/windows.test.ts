import { describe, expect, it } from "vitest";
import { endCommand, parseCim, parseEnded, windowsProcessTable } from "./windows";

const output =
  '\uFEFF[{"pid":4,"parent":0,"command":"","name":"System","start":"2025-11-22T08:00:01.1234567Z"},' +
  '{"parent":900,"pid":4712,"name":"codex.exe","start":"2025-11-22T10:02:59.0000001Z",' +
  '"command":"\\"C:\\\\Program Files\\\\A & B\\\\codex.exe\\" app-server"}]\r\n';
const refs = [
  { pid: 4712, startTime: "2025-11-22T10:02:59.0000001Z" },
  { pid: 4713, startTime: "2025-11-22T10:03:00.5000000Z" },
];

describe("what PowerShell prints on Windows", () => {
  it("is read process by process", () => {
    expect(parseCim(output)).toEqual([
      {
        pid: 4,
        startTime: "2025-11-22T08:00:01.1234567Z",
        parentPid: 0,
        groupId: null,
        sessionId: null,
        command: "System",
      },
      {
        pid: 4712,
        startTime: "2025-11-22T10:02:59.0000001Z",
        parentPid: 900,
        groupId: null,
        sessionId: null,
        command: '"C:\\Program Files\\A & B\\codex.exe" app-server',
      },
    ]);
  });

  it.each(["", "Get-CimInstance : Access denied", '{"pid":1}', '[{"pid":"x"}]'])(
    "is a fault when it is something else: %s",
    (other) => {
      expect(() => parseCim(other)).toThrow(expect.objectContaining({ code: "process_list_failed" }));
    },
  );

  it("says of each process whether it was ended", () => {
    expect(parseEnded("4712 sent\r\n4713 gone\r\n", refs)).toEqual(
      new Map([
        [4712, "sent"],
        [4713, "gone"],
      ]),
    );
    expect(parseEnded("noise\r\n9 sent\r\n4713 refused\r\n", refs)).toEqual(
      new Map([
        [4712, "refused"],
        [4713, "refused"],
      ]),
    );
  });

  it("is asked to end a process only if it is the one that was meant", () => {
    expect(endCommand(refs)).toContain(
      "@(4712, '2025-11-22T10:02:59.0000001Z'), @(4713, '2025-11-22T10:03:00.5000000Z')",
    );
    // One alone must stay a list in a list.
    expect(endCommand(refs.slice(0, 1))).toContain("@(,@(4712, '2025-11-22T10:02:59.0000001Z'))");
    expect(endCommand(refs)).toContain("-eq $ref[1]");
    const hostile = [{ pid: 1, startTime: "'); Remove-Item C:\\ -Recurse; ('" }];
    expect(() => endCommand(hostile)).toThrow(expect.objectContaining({ code: "process_unknown" }));
  });

  it("tells which process started first, to 100 ns", () => {
    const { startedSince } = windowsProcessTable;
    expect(startedSince("2025-11-22T10:02:59.0000002Z", "2025-11-22T10:02:59.0000001Z")).toBe(true);
    expect(startedSince("2025-11-22T10:02:59.0000001Z", "2025-11-22T10:02:59.0000001Z")).toBe(true);
    expect(startedSince("2025-11-22T09:59:59.0000001Z", "2025-11-22T10:02:59.0000001Z")).toBe(false);
  });
});
