// Paths of an environment, which may be of another system than this one, as the file URIs that an exec-server understands.

import { Fault } from "../../fault";

/** Throws Fault `path_not_absolute`. */
export function toFileUri(path: string): string {
  const drive = /^([A-Za-z]:)(?:[\\/](.*))?$/s.exec(path);
  if (drive) return `file:///${drive[1]}/${encoded((drive[2] ?? "").replaceAll("\\", "/"))}`;
  const share = /^\\\\([^\\/]+)[\\/](.*)$/s.exec(path);
  if (share) return `file://${share[1]}/${encoded((share[2] ?? "").replaceAll("\\", "/"))}`;
  if (path.startsWith("/")) return `file://${encoded(path)}`;
  throw new Fault("path_not_absolute", `"${path}" is not a full path.`);
}

/** As a person writes it there. Null: not a file URI. */
export function fromFileUri(uri: string): string | null {
  const parts = /^file:\/\/([^/?#]*)(\/[^?#]*)$/.exec(uri);
  if (!parts) return null;
  const [, host = "", encodedPath = ""] = parts;
  let path: string;
  try {
    path = decodeURIComponent(encodedPath);
  } catch {
    // A stray per cent sign.
    return null;
  }
  if (host !== "" && host !== "localhost") return `\\\\${host}${path.replaceAll("/", "\\")}`;
  return /^\/[A-Za-z]:(?:\/|$)/.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
}

/** Of a folder and the name of something in it. */
export function childUri(folder: string, name: string): string {
  return `${folder}${folder.endsWith("/") ? "" : "/"}${encodeURIComponent(name)}`;
}

const root = /^file:\/\/[^/]*\/(?:[A-Za-z]:\/?)?$/;

/** Null: it is the root. */
export function parentUri(uri: string): string | null {
  if (root.test(uri)) return null;
  const parent = uri.replace(/[^/]+\/*$/, "");
  return root.test(parent) ? parent : parent.replace(/\/+$/, "");
}

function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
