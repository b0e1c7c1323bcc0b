// Says how what the fake sends differs in shape from what the real codex sends: fields too few, fields too many, other types.
// Values are free, but what tells kinds apart (type, status, ...) is part of the shape.

/** These fields tell kinds of records apart, so their values count. */
const discriminators = new Set(["type", "status", "itemsView", "historyMode", "kind", "activeFlags"]);

export function shapeDifferences(real: unknown, fake: unknown, isFree: (path: string) => boolean): string[] {
  const differences: string[] = [];
  compare(real, fake, "", differences, isFree);
  return differences;
}

function compare(
  real: unknown,
  fake: unknown,
  path: string,
  differences: string[],
  isFree: (path: string) => boolean,
): void {
  if (isFree(path)) return;
  const [realType, fakeType] = [typeName(real), typeName(fake)];
  if (realType !== fakeType) {
    differences.push(`${path}: ${realType} in the real one, ${fakeType} in the fake`);
  } else if (Array.isArray(real) && Array.isArray(fake)) {
    compareArrays(real, fake, path, differences, isFree);
  } else if (isRecord(real) && isRecord(fake)) {
    for (const key of Object.keys(real)) {
      if (key in fake) compare(real[key], fake[key], `${path}.${key}`, differences, isFree);
      else if (!isFree(`${path}.${key}`)) differences.push(`${path}.${key}: missing in the fake`);
    }
    for (const key of Object.keys(fake)) {
      if (!(key in real) && !isFree(`${path}.${key}`)) differences.push(`${path}.${key}: only in the fake`);
    }
  } else if (discriminators.has(path.split(".").at(-1) ?? "") && real !== fake) {
    differences.push(`${path}: ${String(real)} in the real one, ${String(fake)} in the fake`);
  }
}

function compareArrays(
  real: unknown[],
  fake: unknown[],
  path: string,
  differences: string[],
  isFree: (path: string) => boolean,
): void {
  if (real.length !== fake.length && !isFree(`${path}.length`)) {
    differences.push(`${path}: ${real.length} entries in the real one, ${fake.length} in the fake`);
  }
  for (let at = 0; at < Math.min(real.length, fake.length); at++) {
    compare(real[at], fake[at], `${path}[]`, differences, isFree);
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
