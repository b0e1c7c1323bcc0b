import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Attachments, attachmentBytes, fitImage, type ImageTools, safeFileName } from "./attachments";
import { imageInfo } from "./imageInfo";
import { gifOf, jpegOf, pngOf } from "./testImages";

const megabyte = 1024 * 1024;

/** Scales by making a new image of the size that was asked for, weighing what the test says. */
function testImages(weigh: { png: number; jpeg: number } = { png: 0, jpeg: 0 }) {
  const asked: { width: number; height: number; type: string }[] = [];
  const images: ImageTools = {
    scale(bytes, size, type) {
      asked.push({ ...size, type });
      if (imageInfo(bytes)?.type === "gif") return null;
      return type === "png"
        ? pngOf(size.width, size.height, weigh.png)
        : jpegOf(size.width, size.height, weigh.jpeg);
    },
  };
  return { images, asked };
}

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-attach-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const kept = () => join(folder, "kept");
const attachments = (images: ImageTools = testImages().images) => new Attachments(kept(), images);

describe("an attached image", () => {
  it("is kept as it is when it is small, for its owner only, ending as its content demands", async () => {
    const bytes = pngOf(100, 100);
    const attachment = await attachments().save("shot.jpg", bytes);
    expect(attachment).toMatchObject({ kind: "image", name: "shot.png", bytes: bytes.length });
    expect(await readFile(attachment.path)).toEqual(bytes);
    expect(attachment.path.startsWith(`${kept()}/`)).toBe(true);
    expect((await stat(attachment.path)).mode & 0o777).toBe(0o600);
    expect((await stat(kept())).mode & 0o777).toBe(0o700);
  });

  it("does not replace another of the same name", async () => {
    const store = attachments();
    const first = await store.save("shot.png", pngOf(1, 1));
    const second = await store.save("shot.png", pngOf(2, 2));
    expect(second.path).not.toBe(first.path);
    expect(imageInfo(await readFile(first.path))?.width).toBe(1);
  });

  it("stays inside the folder whatever it is called", async () => {
    for (const name of ["../../evil.png", "/etc/passwd", "..\\..\\evil", ".hidden.png", "a\0b.png", ""]) {
      const { path } = await attachments().save(name, pngOf(1, 1));
      expect(path.slice(kept().length + 1)).not.toMatch(/[/\\]/);
      expect(path.startsWith(`${kept()}/`)).toBe(true);
    }
    expect(await readdir(folder)).toEqual(["kept"]);
  });

  it("that is too large, too many pixels, or none is refused, and nothing is kept", async () => {
    const store = attachments();
    const refused = (code: string) => expect.objectContaining({ code });
    await expect(store.save("a", pngOf(1, 1, attachmentBytes + 1))).rejects.toThrow(
      refused("attachment_too_large"),
    );
    await expect(store.save("a", pngOf(20_000, 20_000))).rejects.toThrow(refused("attachment_too_large"));
    await expect(store.save("a.png", Buffer.from("no image"))).rejects.toThrow(
      refused("attachment_not_image"),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it("that cannot be written says why, and is worth another try", async () => {
    await writeFile(kept(), "a file in the way");
    await expect(attachments().save("a", pngOf(1, 1))).rejects.toThrow(
      expect.objectContaining({ code: "attachment_not_saved", retryable: true }),
    );
  });
});

describe("fitting an image", () => {
  const shrink = (bytes: Buffer, images: ImageTools) => {
    const info = imageInfo(bytes);
    if (!info) throw new Error("no image");
    const fitted = fitImage(bytes, info, images);
    return { ...fitted, size: imageInfo(fitted.bytes) };
  };

  it("leaves a small one alone", () => {
    const { images, asked } = testImages();
    const bytes = jpegOf(2048, 1000);
    expect(shrink(bytes, images).bytes).toBe(bytes);
    expect(asked).toEqual([]);
  });

  it("makes the longer side 2048, keeping the shape and the type", () => {
    const { images } = testImages();
    expect(shrink(pngOf(4096, 1000), images)).toMatchObject({
      type: "png",
      size: { width: 2048, height: 500 },
    });
    expect(shrink(jpegOf(1000, 8192), images)).toMatchObject({
      type: "jpeg",
      size: { width: 250, height: 2048 },
    });
    expect(shrink(pngOf(50_000, 1), images)).toMatchObject({ size: { width: 2048, height: 1 } });
  });

  it("makes a JPEG of a PNG that stays heavy", () => {
    const { images } = testImages({ png: 5 * megabyte, jpeg: megabyte });
    expect(shrink(pngOf(3000, 3000, 8 * megabyte), images)).toMatchObject({ type: "jpeg" });
  });

  it("keeps the original when there is nothing to be won", () => {
    const { images } = testImages({ png: 9 * megabyte, jpeg: 9 * megabyte });
    const bytes = pngOf(1000, 1000, 8 * megabyte);
    expect(shrink(bytes, images).bytes).toBe(bytes);
  });

  it("keeps the original when it cannot be decoded here", () => {
    const bytes = gifOf(4000, 4000);
    expect(shrink(bytes, testImages().images)).toMatchObject({ bytes, type: "gif" });
  });
});

describe("images picked from the disk", () => {
  const file = async (name: string, content: Buffer) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  it("are copied, in order", async () => {
    const picked = [await file("b.png", pngOf(1, 1)), await file("a.gif", gifOf(2, 2))];
    const saved = await attachments().saveFiles(picked);
    expect(saved.map((one) => one.name)).toEqual(["b.png", "a.gif"]);
    await rm(picked[0] ?? "");
    expect(imageInfo(await readFile(saved[0]?.path ?? ""))?.width).toBe(1);
  });

  it("are all refused when one cannot be attached, and the fault names it", async () => {
    const good = await file("good.png", pngOf(1, 1));
    const bad = await file("notes.txt", Buffer.from("text"));
    const large = await file("large.png", pngOf(1, 1));
    await truncate(large, attachmentBytes + 1);
    await mkdir(join(folder, "folder.png"));
    for (const [path, name, code] of [
      [bad, "notes.txt", "attachment_not_image"],
      [large, "large.png", "attachment_too_large"],
      [join(folder, "gone.png"), "gone.png", "attachment_unreadable"],
      [join(folder, "folder.png"), "folder.png", "attachment_unreadable"],
    ] as const) {
      await expect(attachments().saveFiles([good, path])).rejects.toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(name) }),
      );
    }
    expect(await readdir(folder)).not.toContain("kept");
  });
});

describe("a safe file name", () => {
  it.each([
    ["Screenshot 2024-01-01 at 10.00.00.png", "Screenshot 2024-01-01 at 10.00.00.png"],
    ["Bildschirmfoto – Übersicht.PNG", "Bildschirmfoto – Übersicht.png"],
    ["a:b*c?.png", "abc.png"],
    ["gnp.\u202eexe.png", "gnp.exe.png"],
    ["...", "image.png"],
    ["", "image.png"],
    ["C:\\Users\\me\\shot.bmp", "shot.png"],
    ["lone \ud800 half.png", "lone  half.png"],
  ])("of %j is %j", (given, safe) => expect(safeFileName(given, "png")).toBe(safe));

  it("is short, and does not cut a character in two", () => {
    const name = safeFileName(`${"😀".repeat(200)}.png`, "jpeg");
    expect([...name].length).toBe(64);
    expect(name.endsWith("😀.jpg")).toBe(true);
  });
});
