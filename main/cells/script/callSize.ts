// What a tool is called with is read by the process that everything else runs in, so what takes long to read does not get
// there. The longest message, the longest command are far below this.

const callCharacters = 1024 * 1024;
/** Values, and what holds them. */
const callParts = 10_000;

/** Throws the Error that the script is given. */
export function checkCallSize(tool: string, json: string): void {
  if (json.length > callCharacters || hasMoreParts(json, callParts)) {
    throw new Error(`What tools.${tool} was called with is too large.`);
  }
}

function hasMoreParts(json: string, most: number): boolean {
  let parts = 0;
  let isText = false;
  for (let at = 0; at < json.length && parts <= most; at += 1) {
    const character = json[at];
    if (character === '"') isText = !isText;
    else if (isText && character === "\\") at += 1;
    else if (!isText && (character === "," || character === "[" || character === "{")) parts += 1;
  }
  return parts > most;
}
