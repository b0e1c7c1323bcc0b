import { existsSync, renameSync } from "node:fs";

const suffixes = ["-wal", "-shm", ""];

/**
 * Renames a damaged database with its write-ahead log and index, so that the three still belong together. Returns the new
 * path: the database's, or its log's when there was no database. The database goes last: see openLedger.ts.
 */
export function setAside(path: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, "");
  const damaged = freeName(`${path}.damaged-${time}`);
  for (const suffix of suffixes) {
    if (existsSync(path + suffix)) renameSync(path + suffix, damaged + suffix);
  }
  return existsSync(damaged) ? damaged : `${damaged}-wal`;
}

function freeName(wanted: string): string {
  const taken = (name: string) => suffixes.some((suffix) => existsSync(name + suffix));
  let name = wanted;
  for (let count = 2; taken(name); count++) name = `${wanted}-${count}`;
  return name;
}
