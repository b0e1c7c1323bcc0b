// Comparing what npm has installed with what package-lock.json asks for.

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 *
 * @typedef {{ os: string, cpu: string, libc: string }} Machine in npm's words
 */

/**
 * The packages of a package-lock.json, or of the like file that npm leaves in node_modules, by their folder.
 * @param {string} text
 * @returns {Map<string, LockEntry>}
 */
export function packagesIn(text) {
  return new Map(Object.entries(JSON.parse(text).packages ?? {}).filter(([location]) => location !== ""));
}

/**
 * Whether everything that is there is what was asked for, and nothing is missing that this machine needs.
 * @param {Map<string, LockEntry>} wanted
 * @param {Map<string, LockEntry>} present
 * @param {Machine} machine
 */
export function isCompleteInstall(wanted, present, machine) {
  for (const [location, entry] of present) {
    const expected = wanted.get(location);
    if (expected?.version !== entry.version || expected?.integrity !== entry.integrity) return false;
  }
  for (const [location, entry] of wanted) {
    if (!present.has(location) && isNeeded(entry, machine)) return false;
  }
  return true;
}

/**
 * npm may leave out what is optional, but not the build of a native package for this machine.
 * @param {LockEntry} entry
 * @param {Machine} machine
 */
function isNeeded(entry, machine) {
  if (!entry.optional) return true;
  if (!entry.os && !entry.cpu) return false;
  return allows(entry.os, machine.os) && allows(entry.cpu, machine.cpu) && allows(entry.libc, machine.libc);
}

/**
 * npm's rule: a list of names, or of names after `!` that are excluded.
 * @param {string[] | undefined} list
 * @param {string} name
 */
function allows(list, name) {
  if (!list) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((item) => item.startsWith("!"));
}

/** @returns {Machine} */
export function thisMachine() {
  return { os: process.platform, cpu: process.arch, libc: libc() };
}

function libc() {
  if (process.platform !== "linux") return "none";
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime ? "glibc" : "musl";
}
