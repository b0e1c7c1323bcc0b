import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tailBytes, tailLog } from "./logTail";

let folder = "";
let logs = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-tail-"));
  logs = join(folder, "logs");
  await mkdir(logs);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the end of a log", () => {
  it("is all of a short one", async () => {
    await writeFile(join(logs, "main.log"), "one\ntwo\n");
    expect(await tailLog(join(logs, "main.log"), logs)).toBe("one\ntwo\n");
  });

  it("is the last whole lines of a long one", async () => {
    const lines = Array.from({ length: 20_000 }, (_, nth) => `line ${nth} ü😀`);
    await writeFile(join(logs, "main.log"), `${lines.join("\n")}\n`);
    const tail = await tailLog(join(logs, "main.log"), logs);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(tailBytes);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(tailBytes - 100);
    const got = tail.trimEnd().split("\n");
    expect(got).toEqual(lines.slice(-got.length));
  });

  it("is empty while there is no log yet", async () => {
    expect(await tailLog(join(logs, "later.log"), logs)).toBe("");
  });

  it("is not shown of files outside, also not through a link", async () => {
    await writeFile(join(folder, "secret"), "secret");
    await symlink(join(folder, "secret"), join(logs, "link.log"));
    for (const path of [join(folder, "secret"), join(logs, "..", "secret"), join(logs, "link.log"), logs]) {
      await expect(tailLog(path, logs)).rejects.toThrow(expect.objectContaining({ code: "not_a_log" }));
    }
  });
});
