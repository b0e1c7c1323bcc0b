import { describe, expect, it } from "vitest";
import { systemClock } from "../../clock";
import { linuxProcessTable } from "./linux";
import { readListing, readListingNow } from "./listing";
import { macProcessTable, parseEnvironments, parsePs } from "./mac";
import { markerName, TestTrees } from "./testTree";

/** ps -axww -o pid=,ppid=,pgid=,stat=,lstart=,command= */
const listing = `    1     0     1 Ss   Sat Nov 22 09:14:03 2025     /sbin/launchd
  391     1   391 S    Sat Nov  1 09:14:31 2025     /System/Library/CoreServices/Finder.app/Contents/MacOS/Finder
 4711   998  4711 Ss   Sat Nov 22 10:02:59 2025     /Users/ada/My Code/codex app-server --listen unix:///tmp/a b.sock
 4712  4711  4712 Z    Sat Nov 22 10:03:00 2025     (node)
 4720  4711  4711 R+   Sat Nov 22 10:03:01 2025     rg HOLDFAST_HANDLE=h1 src
 4721     1  4721 SNs  Sat Nov 22 10:03:02 2025     -zsh
99999     1 99999 ??   Sat Nov 22 10:03:02 2025     ps
`;

describe("what ps prints on macOS", () => {
  it("is read row by row, without zombies", () => {
    const rows = parsePs(listing);
    expect(rows.map(({ pid }) => pid)).toEqual([1, 391, 4711, 4720, 4721, 99_999]);
    expect(rows[1]?.startTime).toBe("Sat Nov 1 09:14:31 2025");
    expect(rows[2]).toEqual({
      pid: 4711,
      startTime: "Sat Nov 22 10:02:59 2025",
      parentPid: 998,
      groupId: 4711,
      sessionId: null,
      command: "/Users/ada/My Code/codex app-server --listen unix:///tmp/a b.sock",
    });
  });

  it("is no row when it is something else", () => {
    expect(parsePs("\nps: illegal option -- q\nusage: ps [-AaCcEefhjlMmrSTvwXx]\n")).toEqual([]);
  });

  it("has the environment behind the command; what a command line says does not count", () => {
    const rows = parsePs(listing);
    const environments = ` 4711 /Users/ada/My Code/codex app-server --listen unix:///tmp/a b.sock HOME=/Users/ada X=1 HOLDFAST_HANDLE=h1 LANG=C
 4720 rg HOLDFAST_HANDLE=h1 src HOME=/Users/ada PATH=/bin
 4721 -zsh NOT_HOLDFAST_HANDLE=h1 HOLDFAST_HANDLE=h2
 5000 sleep 5 HOLDFAST_HANDLE=h1
`;
    expect(parseEnvironments(environments, rows, "HOLDFAST_HANDLE")).toEqual(
      new Map([
        [4711, "h1"],
        [4721, "h2"],
      ]),
    );
  });

  it("tells which process started first, to the second", () => {
    const { startedSince } = macProcessTable;
    expect(startedSince("Sat Nov 22 10:03:00 2025", "Sat Nov 22 10:02:59 2025")).toBe(true);
    expect(startedSince("Sat Nov 22 10:03:00 2025", "Sat Nov 22 10:03:00 2025")).toBe(true);
    expect(startedSince("Sat Nov 1 10:03:00 2025", "Sat Nov 22 09:00:00 2025")).toBe(false);
    expect(startedSince("", "Sat Nov 22 09:00:00 2025")).toBe(false);
  });
});

// The ps of Linux prints the same columns, so that the parser meets a real system.
describe.runIf(process.platform === "linux")("what a real ps prints", () => {
  it("agrees with /proc", async () => {
    const trees = new TestTrees();
    const pid = await trees.start("echo leader $$; read line", "h 1").pidOf("leader");
    const columns = ["-axww", "-o", "pid=,ppid=,pgid=,stat=,lstart=,command="];
    const rows = parsePs(await readListing("ps", columns));
    const now = parsePs(readListingNow("ps", columns));
    const real = await linuxProcessTable(systemClock).listProcesses();
    for (const wanted of [pid, process.pid]) {
      const row = rows.find((found) => found.pid === wanted);
      const truth = real.find((found) => found.pid === wanted);
      expect(row).toMatchObject({ parentPid: truth?.parentPid, groupId: truth?.groupId });
      expect(Math.abs(Date.parse(`${row?.startTime} UTC`) - Date.now())).toBeLessThan(86_400_000);
      expect(now.find((found) => found.pid === wanted)).toEqual(row);
    }
    const environments = await readListing("ps", ["axeww", "-o", "pid=,command="]);
    // A value is read up to its first space: markers have none.
    expect(parseEnvironments(environments, rows, markerName).get(pid)).toBe("h");
    expect(await trees.endAll()).toEqual([pid]);
  });

  it("is a fault when it cannot be had", async () => {
    await expect(readListing("ps", ["--no-such-option"])).rejects.toMatchObject({
      code: "process_list_failed",
      retryable: true,
    });
    await expect(readListing("no-such-ps", [])).rejects.toMatchObject({ code: "process_list_failed" });
    expect(readListingNow("no-such-ps", [])).toBe("");
  });
});
