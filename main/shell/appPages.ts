// Holdfast's own pages, served to its windows under `holdfast://app/` out of the folder of the built renderer and nothing
// else. A scheme of its own gives the pages an origin that no file and no site shares, and headers with each answer.

import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

export const appScheme = "holdfast";
export const appOrigin = `${appScheme}://app`;
export const startPage = `${appOrigin}/`;

/**
 * Pages load code, styles, fonts and pictures that come with the app, and nothing from anywhere else. Styles may be
 * inline: the libraries for menus, lists and highlighted code set them. WebAssembly is the highlighter's.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
};

/** True for an address of the app's own pages; `devServer` is the origin of the development server, if there is one. */
export function isAppAddress(address: string, devServer: string | null): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  if (url.protocol === `${appScheme}:`) return url.host === "app";
  return devServer !== null && url.origin === devServer;
}

/**
 * The origin of the development server that serves the pages, out of its address. Only one on this machine counts, and
 * none does for an installed app, whose pages come with it.
 */
export function developmentServer(address: string | undefined, isInstalled: boolean): string | null {
  if (!address || isInstalled || !URL.canParse(address)) return null;
  const url = new URL(address);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return url.protocol === "http:" && isHere ? url.origin : null;
}

/** The file that an address means; null when it means none inside `root`. */
export function fileOfAddress(root: string, address: string): string | null {
  if (!isAppAddress(address, null)) return null;
  let path: string;
  try {
    path = decodeURIComponent(new URL(address).pathname);
  } catch {
    return null;
  }
  if (path.includes("\0") || path.includes("\\")) return null;
  if (path === "/") return join(root, "index.html");
  if (path.split("/").some((part) => part === ".." || part === ".") || path.endsWith("/")) return null;
  const file = join(root, path);
  const inside = relative(root, file);
  return inside === "" || inside.startsWith(`..${sep}`) || inside === ".." ? null : file;
}

/** What a request gets. */
export interface PageAnswer {
  statusCode: number;
  headers: Record<string, string>;
  data: Buffer;
}

/** Answers a request of a page. Never rejects. */
export async function servePage(root: string, request: { method: string; url: string }): Promise<PageAnswer> {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, "Only reading is possible.");
  const file = fileOfAddress(root, request.url);
  const contentType = file === null ? undefined : contentTypes[extname(file).toLowerCase()];
  if (file === null || contentType === undefined) return refuse(404, "There is no such page.");
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") {
      return refuse(
        404,
        "There is no such page. If this is all you see, Holdfast needs to be installed again.",
      );
    }
    return refuse(500, `This page cannot be read (${code ?? "unknown"}).`);
  }
  const data = request.method === "HEAD" ? Buffer.alloc(0) : content;
  return { statusCode: 200, headers: headers(contentType), data };
}

function refuse(statusCode: number, words: string): PageAnswer {
  return { statusCode, headers: headers("text/plain; charset=utf-8"), data: Buffer.from(words) };
}

function headers(contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "content-security-policy": contentSecurityPolicy,
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}
