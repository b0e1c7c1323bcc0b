import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { developmentServer, fileOfAddress, isAppAddress, servePage } from "./appPages";

let folder = "";
let root = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-pages-"));
  root = join(folder, "renderer");
  await mkdir(join(root, "assets"), { recursive: true });
  await writeFile(join(root, "index.html"), "<!doctype html>");
  await writeFile(join(root, "assets", "a b.js"), "1");
  await writeFile(join(root, "odd.exe"), "1");
  await writeFile(join(folder, "secret.txt"), "secret");
  await writeFile(join(folder, "renderer-other.txt"), "secret");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const get = (url: string, method = "GET") => servePage(root, { method, url });

describe("a page", () => {
  it("is served with its type and a policy that lets in nothing from elsewhere", async () => {
    const response = await get("holdfast://app/");
    expect(response.statusCode).toBe(200);
    expect(response.data.toString()).toBe("<!doctype html>");
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    const policy = response.headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval'(;|$)/);
    expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'/);
  });

  it("is found with its query and its escaped name", async () => {
    const response = await get("holdfast://app/assets/a%20b.js?v=1#x");
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  });

  it.each([
    ["that is not there", "holdfast://app/none.js"],
    ["that is a folder", "holdfast://app/assets"],
    ["that is a folder with a slash", "holdfast://app/assets/"],
    ["of a type that the app has not", "holdfast://app/odd.exe"],
    ["outside, plainly", "holdfast://app/../secret.txt"],
    ["outside, escaped", "holdfast://app/%2e%2e/secret.txt"],
    ["outside, escaped with its slash", "holdfast://app/..%2fsecret.txt"],
    ["outside, escaped twice", "holdfast://app/%252e%252e%252fsecret.txt"],
    ["outside, with backslashes", "holdfast://app/..%5csecret.txt"],
    ["outside, by a name that begins alike", "holdfast://app/..%2frenderer-other.txt"],
    ["with a zero in its name", "holdfast://app/index.html%00.js"],
    ["whose name is badly escaped", "holdfast://app/%zz"],
    ["of another host", "holdfast://other/index.html"],
    ["of another scheme", "file:///etc/passwd"],
  ])("%s is refused, under the same policy", async (_what, url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.data.toString()).not.toContain("secret");
    expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("cannot be written", async () => {
    expect((await get("holdfast://app/", "POST")).statusCode).toBe(405);
  });

  it("is asked for without its content", async () => {
    const response = await get("holdfast://app/", "HEAD");
    expect(response.statusCode).toBe(200);
    expect(response.data.toString()).toBe("");
  });
});

describe("an address", () => {
  it("is the app's own only under its scheme and host, or on the development server", () => {
    expect(isAppAddress("holdfast://app/x", null)).toBe(true);
    expect(isAppAddress("http://localhost:5173/x", "http://localhost:5173")).toBe(true);
    for (const other of [
      "holdfast://app.evil/x",
      "holdfast://evil/app/",
      "https://app/",
      "file:///app",
      "about:blank",
      "data:text/html,x",
      "http://localhost:5173/",
      "not an address",
      "",
    ]) {
      expect(isAppAddress(other, null)).toBe(false);
    }
    expect(isAppAddress("http://localhost:5174/", "http://localhost:5173")).toBe(false);
  });

  it("means a file inside the root only", () => {
    expect(fileOfAddress("/r", "holdfast://app/a/b.css")).toBe("/r/a/b.css");
    expect(fileOfAddress("/r", "holdfast://app//etc/passwd")).toBe("/r/etc/passwd");
  });
});

describe("a development server", () => {
  it("counts only on this machine, and never for an installed app", () => {
    expect(developmentServer("http://localhost:5173/x", false)).toBe("http://localhost:5173");
    expect(developmentServer("http://127.0.0.1:5173", false)).toBe("http://127.0.0.1:5173");
    expect(developmentServer("http://localhost:5173/", true)).toBeNull();
    for (const other of [undefined, "", "http://example.org", "https://localhost", "file:///x", "nonsense"]) {
      expect(developmentServer(other, false)).toBeNull();
    }
  });
});
