import { describe, expect, it } from "vitest";
import { ManualClock } from "../clock";
import { silentLog } from "../log";
import { Updates } from "./updates";

const day = 24 * 60 * 60_000;

function setUp(options: { downloads?: boolean; quits?: boolean; downloadStalls?: boolean } = {}) {
  const clock = new ManualClock();
  const told: string[] = [];
  const feed = {
    version: null as string | null,
    fault: null as Error | null,
    looks: 0,
    downloads: 0,
    /** It takes what is asked and never answers. */
    stalls: false,
    /** A piece of the download has come. */
    came: () => {},
    givenUp: 0,
  };
  const stalled = () => new Promise<never>(() => {});
  const updates = new Updates({
    clock,
    log: silentLog,
    updater: {
      async newer() {
        feed.looks += 1;
        if (feed.stalls) await stalled();
        if (feed.fault) throw feed.fault;
        return feed.version;
      },
      async download(came) {
        feed.downloads += 1;
        feed.came = came;
        feed.stalls ||= options.downloadStalls ?? false;
        if (feed.stalls) await stalled();
        if (feed.fault) throw feed.fault;
      },
      giveUp() {
        feed.givenUp += 1;
      },
    },
    words: {
      async offer(version) {
        told.push(`offer ${version}`);
        return options.downloads ?? false;
      },
      async ready(version) {
        told.push(`ready ${version}`);
        return options.quits ?? false;
      },
      async nothingNew() {
        told.push("nothing new");
      },
      async failed(error) {
        told.push(`failed: ${(error as Error).message}`);
      },
    },
    quit: () => told.push("quit"),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { clock, told, feed, updates, settled };
}

describe("new versions", () => {
  it("are looked for a minute after the start and once a day, and nothing is said while there is none", async () => {
    const { clock, told, feed, updates, settled } = setUp();
    updates.begin();
    clock.advance(59_000);
    expect(feed.looks).toBe(0);
    clock.advance(1_000);
    await settled();
    clock.advance(day);
    await settled();
    expect(feed.looks).toBe(2);
    expect(told).toEqual([]);
    updates.end();
    expect(clock.pendingCount).toBe(0);
  });

  it("are offered once by themselves, and again when the person looks", async () => {
    const { clock, told, feed, updates, settled } = setUp();
    feed.version = "2.0.0";
    updates.begin();
    for (const passedMs of [60_000, day, day]) {
      clock.advance(passedMs);
      await settled();
    }
    expect(told).toEqual(["offer 2.0.0"]);
    await updates.look();
    expect(told).toEqual(["offer 2.0.0", "offer 2.0.0"]);
    feed.version = "2.0.1";
    clock.advance(day);
    await settled();
    expect(told.at(-1)).toBe("offer 2.0.1");
    expect(feed.downloads).toBe(0);
  });

  it("are downloaded once, and wait for the end of Holdfast", async () => {
    const { told, feed, updates } = setUp({ downloads: true, quits: true });
    feed.version = "2.0.0";
    await updates.look();
    expect(told).toEqual(["offer 2.0.0", "ready 2.0.0", "quit"]);
    await updates.look();
    expect(feed.downloads).toBe(1);
    expect(told.slice(3)).toEqual(["ready 2.0.0", "quit"]);
  });

  it("that cannot be had are told to a person who has asked, and tried again", async () => {
    const { clock, told, feed, updates, settled } = setUp({ downloads: true });
    feed.fault = new Error("no route");
    updates.begin();
    clock.advance(60_000);
    await settled();
    expect(told).toEqual([]);
    await updates.look();
    expect(told).toEqual(["failed: no route"]);
    feed.fault = null;
    await updates.look();
    expect(told.at(-1)).toBe("nothing new");
  });

  it("are looked for once when two ask at the same time", async () => {
    const { told, feed, updates } = setUp();
    await Promise.all([updates.look(), updates.look()]);
    expect(feed.looks).toBe(1);
    expect(told).toEqual(["nothing new"]);
  });

  it("of a feed that never answers are given up, which the person is told, and the next look asks anew", async () => {
    const { clock, told, feed, updates } = setUp();
    feed.stalls = true;
    const look = updates.look();
    clock.advance(29_999);
    expect(told).toEqual([]);
    clock.advance(1);
    await look;
    expect(told).toEqual(["failed: The server that new versions come from has said nothing for 30 seconds."]);
    expect(feed.givenUp).toBe(1);
    feed.stalls = false;
    await updates.look();
    expect(told.at(-1)).toBe("nothing new");
    expect(feed).toMatchObject({ looks: 2, givenUp: 1 });
    expect(clock.pendingCount).toBe(0);
  });

  it("are downloaded for as long as something comes, and given up when nothing does", async () => {
    const { clock, told, feed, updates, settled } = setUp({ downloads: true, downloadStalls: true });
    feed.version = "2.0.0";
    const look = updates.look();
    await settled();
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(60_000);
      feed.came();
    }
    expect(told).toEqual(["offer 2.0.0"]);
    clock.advance(120_000);
    await look;
    expect(told.at(-1)).toMatch(/^failed: .* for 120 seconds\.$/);
    expect(feed.givenUp).toBe(1);
    // What comes too late is nobody's.
    feed.came();
    expect(clock.pendingCount).toBe(0);
  });
});
