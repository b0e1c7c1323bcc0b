import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imageInfo } from "./imageInfo";
import { gifOf, jpegOf, pngOf, webpOf } from "./testImages";

describe("an image", () => {
  it.each([
    ["png", pngOf(70_000, 2)],
    ["gif", gifOf(300, 200)],
  ] as const)("of type %s is known by its content", (type, bytes) => {
    expect(imageInfo(bytes)?.type).toBe(type);
  });

  it("says its size", () => {
    expect(imageInfo(pngOf(70_000, 2))).toEqual({ type: "png", width: 70_000, height: 2 });
    expect(imageInfo(gifOf(300, 200))).toEqual({ type: "gif", width: 300, height: 200 });
    expect(imageInfo(jpegOf(640, 480))).toEqual({ type: "jpeg", width: 640, height: 480 });
    expect(imageInfo(webpOf("VP8 ", 640, 480))).toEqual({ type: "webp", width: 640, height: 480 });
    expect(imageInfo(webpOf("VP8L", 640, 480))).toEqual({ type: "webp", width: 640, height: 480 });
    expect(imageInfo(webpOf("VP8X", 64_000, 480))).toEqual({ type: "webp", width: 64_000, height: 480 });
  });

  it("says its size also when a JPEG has much before its frame", () => {
    const thumbnail = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xffff - 2)]);
    const whole = jpegOf(640, 480);
    const bytes = Buffer.concat([whole.subarray(0, 2), thumbnail, thumbnail, whole.subarray(2)]);
    expect(imageInfo(bytes)).toEqual({ type: "jpeg", width: 640, height: 480 });
  });

  it.each([
    ["text", "hello, world, this is a text that is long enough"],
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAA"],
    ["a WAVE", "RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac"],
    ["nothing", ""],
  ])("is not %s", (_what, text) => {
    expect(imageInfo(Buffer.from(text, "latin1"))).toBeNull();
  });

  it("without a size is none", () => {
    expect(imageInfo(pngOf(0, 10))).toBeNull();
  });

  it("cut off or damaged anywhere is read without going wrong", () => {
    const samples = [pngOf(5, 5), jpegOf(5, 5), gifOf(5, 5), webpOf("VP8 ", 5, 5), webpOf("VP8L", 5, 5)];
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.nat(80),
        fc.nat(80),
        fc.nat(255),
        (sample, cut, at, byte) => {
          const bytes = Uint8Array.from(sample.subarray(0, cut));
          if (at < bytes.length) bytes[at] = byte;
          const info = imageInfo(bytes);
          if (info) expect(Number.isInteger(info.width) && info.width > 0 && info.height > 0).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void imageInfo(bytes)));
  });
});
