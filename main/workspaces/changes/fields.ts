// What git writes with "-z": fields that a NUL byte ends. File names are bytes; here they are text where they can be.

const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface FileName {
  path: string;
  /** False: the name is no text, and shown with replacements. */
  exactName: boolean;
}

export function fileName(bytes: Uint8Array): FileName {
  try {
    return { path: exact.decode(bytes), exactName: true };
  } catch {
    return { path: Buffer.from(bytes).toString("utf8"), exactName: false };
  }
}

/** Gives out each field once it is whole, whatever pieces its bytes come in. */
export class Fields {
  readonly #take: (field: Buffer) => void;
  #rest = Buffer.alloc(0);

  constructor(take: (field: Buffer) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(0); to >= 0; to = chunk.indexOf(0, from)) {
      const piece = chunk.subarray(from, to);
      this.#take(this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]));
      this.#rest = Buffer.alloc(0);
      from = to + 1;
    }
    if (from < chunk.length) this.#rest = Buffer.concat([this.#rest, chunk.subarray(from)]);
  }
}

export function fieldsOf(output: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  new Fields((field) => fields.push(Buffer.from(field))).add(output);
  return fields;
}

/** For git's list of paths on its input. */
export function pathList(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""));
}
