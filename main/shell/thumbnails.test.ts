import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImageTools } from "./attachments";
import { imageInfo } from "./imageInfo";
import { gifOf, jpegOf, pngOf } from "./testImages";
import { Thumbnails } from "./thumbnails";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-thumbs-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function setUp() {
  let scaled = 0;
  const images: ImageTools = {
    scale(bytes, size, type) {
      scaled += 1;
      if (imageInfo(bytes)?.type === "gif") return null;
      return type === "png" ? pngOf(size.width, size.height) : jpegOf(size.width, size.height);
    },
  };
  return { thumbnails: new Thumbnails(images), scaled: () => scaled };
}

async function file(name: string, content: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function decoded(dataUrl: string | null) {
  const [, type, data] = /^data:image\/(\w+);base64,(.*)$/.exec(dataUrl ?? "") ?? [];
  return { type, info: imageInfo(Buffer.from(data ?? "", "base64")) };
}

describe("a thumbnail", () => {
  it("is at most 320 pixels long, in the shape of the image", async () => {
    const { thumbnails } = setUp();
    const png = await thumbnails.of(await file("a.png", pngOf(3200, 1600)));
    expect(decoded(png)).toEqual({ type: "png", info: { type: "png", width: 320, height: 160 } });
    const jpeg = await thumbnails.of(await file("b.jpg", jpegOf(1000, 4000)));
    expect(decoded(jpeg)).toEqual({ type: "jpeg", info: { type: "jpeg", width: 80, height: 320 } });
  });

  it("of a small image is the image", async () => {
    const { thumbnails, scaled } = setUp();
    expect(decoded(await thumbnails.of(await file("a.png", pngOf(16, 16)))).info?.width).toBe(16);
    expect(scaled()).toBe(0);
  });

  it("of what cannot be scaled here is the image if that is not large, else there is none", async () => {
    const { thumbnails } = setUp();
    expect(decoded(await thumbnails.of(await file("a.gif", gifOf(2000, 2000)))).type).toBe("gif");
    const large = Buffer.concat([gifOf(2000, 2000), Buffer.alloc(600 * 1024)]);
    expect(await thumbnails.of(await file("b.gif", large))).toBeNull();
  });

  it.each([
    ["a text with the name of an image", "key.png", Buffer.from("-----BEGIN PRIVATE KEY-----")],
    ["an SVG, which is a document", "a.svg", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["more pixels than can be decoded", "bomb.png", pngOf(60_000, 60_000)],
  ])("is not made of %s", async (_what, name, content) => {
    const { thumbnails, scaled } = setUp();
    expect(await thumbnails.of(await file(name, content))).toBeNull();
    expect(scaled()).toBe(0);
  });

  it("is not made of what is not there, a folder, a pipe, a device, or a path that is not whole", async () => {
    const { thumbnails } = setUp();
    await mkdir(join(folder, "dir.png"));
    execFileSync("mkfifo", [join(folder, "pipe.png")]);
    const paths = [join(folder, "gone.png"), join(folder, "dir.png"), join(folder, "pipe.png")];
    for (const path of [...paths, "/dev/zero", "relative.png", ""]) {
      expect(await thumbnails.of(path)).toBeNull();
    }
  });

  it("is made once, and anew when the file has changed", async () => {
    const { thumbnails, scaled } = setUp();
    const path = await file("a.png", pngOf(3200, 1600));
    const both = await Promise.all([thumbnails.of(path), thumbnails.of(path)]);
    await thumbnails.of(path);
    expect(both[0]).toBe(both[1]);
    expect(scaled()).toBe(1);
    await writeFile(path, pngOf(1600, 3200));
    await utimes(path, new Date(1), new Date(2));
    expect(decoded(await thumbnails.of(path)).info).toMatchObject({ width: 160, height: 320 });
  });

  it("appears once the file is there", async () => {
    const { thumbnails } = setUp();
    expect(await thumbnails.of(join(folder, "a.png"))).toBeNull();
    expect(await thumbnails.of(await file("a.png", pngOf(10, 10)))).not.toBeNull();
  });
});
