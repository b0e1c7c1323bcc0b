// What a measurement is: a file NAME.bench.ts here whose default export is one of these. It runs in a plain Node process
// of its own, with gc() at hand, cleans up after itself, and decides its own repetitions (interleaved when it compares).

export interface MeasurementContext {
  projectRoot: string;
  /** The Electron that `npm start` runs, and the switches without which Chromium does not run on this machine. */
  electronExecutable: string;
  electronArguments: string[];
}

export interface Figure {
  name: string;
  unit: "ms" | "s" | "px" | "KiB" | "MiB" | "per second" | "count" | "times" | "% of a core";
  /** One number for each repetition; the table shows median and range. */
  samples: number[];
  /** It stands in the table that closes a run of measurements. */
  beside?: Beside;
}

/** What a figure of Holdfast's is held against, measured in the same run and in turn with it. */
export interface Beside {
  /** Such as "bare Electron": the least that the same work can take. */
  floor: string;
  samples: number[];
  /** What it is to be at most: so many times the floor, or so much in its own unit. */
  target?: { times: number } | { value: number };
}

export interface Measurement {
  title: string;
  /** Throws when it could not measure, or when what it measured did not do its work. */
  measure(context: MeasurementContext): Promise<Figure[]>;
}
