// The icon in the tray and the mark on the task bar, drawn here: an anchor, and how much waits. As the bytes of a picture,
// blue, green, red, opacity, each row from the left.

type Colour = readonly [red: number, green: number, blue: number];

/** On a plate of its own colour it is legible on light and dark bars. */
const plate: Colour = [17, 94, 103];
const ink: Colour = [255, 255, 255];
const alarm: Colour = [196, 43, 28];

/** Rows of three dots for each digit and the plus sign. */
const digits: Record<string, string> = {
  "0": "###|#.#|#.#|#.#|###",
  "1": ".#.|##.|.#.|.#.|###",
  "2": "###|..#|###|#..|###",
  "3": "###|..#|###|..#|###",
  "4": "#.#|#.#|###|..#|..#",
  "5": "###|#..|###|..#|###",
  "6": "###|#..|###|#.#|###",
  "7": "###|..#|..#|.#.|.#.",
  "8": "###|#.#|###|#.#|###",
  "9": "###|#.#|###|..#|###",
  "+": "...|.#.|###|.#.|...",
};

export interface IconOptions {
  size: number;
  count: number;
  /** For a Mac's menu bar, which colours it itself: only the anchor, in black. */
  isTemplate: boolean;
}

/** What it is at a point of a square with the side 18; null: nothing. */
type Painter = (x: number, y: number) => Colour | null;

export function trayBitmap({ size, count, isTemplate }: IconOptions): Buffer {
  if (isTemplate) return paint(size, (x, y) => (isAnchor(x, y, 0.85) ? [0, 0, 0] : null));
  const mark = countPainter(count, { x: 6, y: 7.5, side: 12 });
  return paint(size, (x, y) => {
    const marked = count > 0 ? mark(x, y) : null;
    if (marked) return marked;
    if (!isInRoundedSquare(x, y, { x: 0, y: 0, width: 18, height: 18 }, 4)) return null;
    // Smaller than the plate that it stands on.
    return isAnchor(9 + (x - 9) * 1.25, 9 + (y - 9) * 1.25, 1) ? ink : plate;
  });
}

/** Only how much waits: laid over the app's icon in the task bar. */
export function countBitmap(size: number, count: number): Buffer {
  return paint(size, countPainter(count, { x: 0, y: 0, side: 18 }));
}

function countPainter(count: number, at: { x: number; y: number; side: number }): Painter {
  const text = count > 9 ? "9+" : String(count);
  const columns = text.length * 4 - 1;
  const dot = Math.min((at.side * 0.72) / 5, (at.side * 0.86) / columns);
  const left = at.x + (at.side - columns * dot) / 2;
  const height = at.side * 0.88;
  const top = at.y + (height - 5 * dot) / 2;
  return (x, y) => {
    if (!isInRoundedSquare(x, y, { x: at.x, y: at.y, width: at.side, height }, at.side * 0.28)) return null;
    const column = Math.floor((x - left) / dot);
    const row = Math.floor((y - top) / dot);
    const digit = digits[text[Math.floor(column / 4)] ?? ""];
    return column >= 0 && digit?.split("|")[row]?.[column % 4] === "#" ? ink : alarm;
  };
}

function isAnchor(x: number, y: number, half: number): boolean {
  const ring = Math.abs(Math.hypot(x - 9, y - 3.4) - 1.7) <= half;
  const shaft = isNearLine(x, y, [9, 5.2], [9, 15.6], half);
  const bar = isNearLine(x, y, [5.6, 8], [12.4, 8], half);
  const angle = Math.hypot((x - 9) / 6.4, (y - 10.4) / 5.2);
  const flukes = y >= 10.6 && Math.abs(angle - 1) * 5.6 <= half;
  return ring || shaft || bar || flukes;
}

function isNearLine(
  x: number,
  y: number,
  [x1, y1]: [number, number],
  [x2, y2]: [number, number],
  distance: number,
): boolean {
  const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x1 - at * (x2 - x1), y - y1 - at * (y2 - y1)) <= distance;
}

function isInRoundedSquare(
  x: number,
  y: number,
  box: { x: number; y: number; width: number; height: number },
  radius: number,
): boolean {
  const right = Math.max(box.x + radius - x, x - (box.x + box.width - radius), 0);
  const down = Math.max(box.y + radius - y, y - (box.y + box.height - radius), 0);
  return Math.hypot(right, down) <= radius;
}

const samples = 4;

function paint(size: number, painter: Painter): Buffer {
  const bytes = Buffer.alloc(size * size * 4);
  const scale = 18 / size;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const sum = [0, 0, 0];
      let covered = 0;
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const x = (column + ((sample % samples) + 0.5) / samples) * scale;
        const y = (row + (Math.floor(sample / samples) + 0.5) / samples) * scale;
        const colour = painter(x, y);
        if (colour === null) continue;
        covered += 1;
        for (const part of [0, 1, 2] as const) sum[part] = (sum[part] ?? 0) + colour[part];
      }
      // The colours are multiplied with the opacity, as Chromium takes them.
      const all = samples * samples;
      const [red = 0, green = 0, blue = 0] = sum;
      bytes.set(
        [blue / all, green / all, red / all, (covered * 255) / all].map(Math.round),
        (row * size + column) * 4,
      );
    }
  }
  return bytes;
}
