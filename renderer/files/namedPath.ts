// Whether a piece of inline code names a file, as codex writes them: `src/a.ts`, `src/a.ts:12`, `README.md`. Pure. It is a
// guess: what is opened says when there is no such file.

import { type FilePlace, filePlace } from "./filePlace";

/** Endings of names that are files when they stand alone; with a folder or a line any ending will do. */
const endings = new Set(
  (
    "c cc cpp cs css csv go h hpp html ini java js json jsx kt lock lua md mdx mjs cjs mts cts php pl py rb rs sass scala " +
    "scss sh sql svelte swift toml ts tsx txt vue xml yaml yml zig"
  ).split(" "),
);
/** Names of things that only look like files. */
const products =
  /^(?:node|vue|next|nuxt|react|three|d3|express|chart|socket|asp|ember|backbone|discord)\.(?:js|io|net)$/i;

export function namedPath(text: string): FilePlace | null {
  const code = text.trim();
  if (code.length > 300 || /[\s"'<>|*?`${}()=;,]/.test(code) || /^[a-z][a-z0-9+.-]+:\/\//i.test(code))
    return null;
  const place = filePlace(code);
  const { path, line } = place;
  const name = path.split(/[\\/]/).at(-1) ?? "";
  const ending = /^.*[^.]\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === undefined || /^[@-]/.test(path) || /^\d+(?:\.\d+)+$/.test(path)) return null;
  if (line !== null) return /^\d+$/.test(ending) ? null : place;
  if (products.test(path)) return null;
  // An address without its scheme is none, whatever it ends in.
  const isHost = /^(?:www\.|[a-z0-9-]+\.(?:com|org|net|io|dev)[\\/])/i.test(path);
  if (/[\\/]/.test(path)) return isHost || /^\d+$/.test(ending) ? null : place;
  return endings.has(ending) ? place : null;
}
