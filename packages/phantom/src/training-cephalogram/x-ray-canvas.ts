import { sampleTrabecularNoise } from "../math/random.ts";
import type { Point2 } from "../math/shape-functions.ts";

/** The meshes of spongy bone that a filled form shows. */
export interface BoneTexture {
  /** Share of the value by which the meshes change it. */
  share: number;
  /** Width of the meshes in pixels. */
  mesh: number;
}

/** Attenuation on a film, to which forms are added; all positions and widths are in its pixels, y downwards. */
export class XrayCanvas {
  readonly columns: number;
  readonly rows: number;
  readonly data: Float32Array;
  readonly #mask: Float32Array;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.data = new Float32Array(columns * rows);
    this.#mask = new Float32Array(columns * rows);
  }

  /** Adds `value` inside a closed outline, whose edge fades over about `softness` pixels. */
  fill(outline: readonly Point2[], value: number, softness = 0, texture: BoneTexture | null = null): void {
    const box = this.#findBox(outline, Math.ceil(softness) + 1);
    this.#cover(outline, box);
    if (softness >= 1) this.#soften(box, Math.round(softness));
    const noise = texture && texture.share > 0 ? getNoiseTile() : null;
    const shift = Math.floor(Math.abs(outline[0][0] * 131 + outline[0][1] * 71));
    this.#apply(box, (share, column, row) => {
      if (!noise || !texture) return value * share;
      const u = Math.floor((column / texture.mesh) * 4 + shift) & 255;
      const v = Math.floor((row / texture.mesh) * 4 + 3 * shift) & 255;
      return value * share * (1 + texture.share * noise[v * 256 + u]);
    });
  }

  /** Adds a line that is `value` strong in its middle and fades at `width` pixels across. */
  line(chain: readonly Point2[], value: number, width: number): void {
    // A line thinner than a pixel is drawn a pixel wide and fainter.
    const half = Math.max(0.55, width / 2);
    const strength = value * Math.min(1, width / 2 / half);
    const box = this.#findBox(chain, 2 * half + 1);
    for (let i = 0; i + 1 < chain.length; i++) this.#stamp(chain[i], chain[i + 1], half);
    this.#apply(box, (share) => strength * share);
  }

  /** Adds a soft round or oval spot. */
  spot([x, y]: Point2, [across, down]: Point2, value: number): void {
    const reach = 2.2;
    const [left, right] = [Math.max(0, Math.ceil(x - reach * across)), Math.min(this.columns - 1, x + reach * across)];
    const [top, bottom] = [Math.max(0, Math.ceil(y - reach * down)), Math.min(this.rows - 1, y + reach * down)];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const away = ((column - x) / across) ** 2 + ((row - y) / down) ** 2;
        this.data[row * this.columns + column] += value * Math.exp(-away);
      }
    }
  }

  #findBox(points: readonly Point2[], margin: number): PixelBox {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of points) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    return {
      left: Math.max(0, Math.floor(left - margin)),
      top: Math.max(0, Math.floor(top - margin)),
      right: Math.min(this.columns - 1, Math.ceil(right + margin)),
      bottom: Math.min(this.rows - 1, Math.ceil(bottom + margin)),
    };
  }

  /** Marks how much of each pixel lies inside, by three lines of sight for each row. */
  #cover(outline: readonly Point2[], { left, top, right, bottom }: PixelBox): void {
    const lines = 3;
    for (let row = top; row <= bottom; row++) {
      for (let k = 0; k < lines; k++) {
        const crossings = findCrossings(outline, row - 0.5 + (k + 0.5) / lines);
        for (let i = 0; i + 1 < crossings.length; i += 2) {
          const [from, to] = [Math.max(left - 0.5, crossings[i]), Math.min(right + 0.5, crossings[i + 1])];
          for (let column = Math.max(left, Math.round(from)); column <= to + 0.5 && column <= right; column++) {
            const inside = Math.min(to, column + 0.5) - Math.max(from, column - 0.5);
            if (inside > 0) this.#mask[row * this.columns + column] += inside / lines;
          }
        }
      }
    }
  }

  #soften({ left, top, right, bottom }: PixelBox, radius: number): void {
    const [wide, high] = [right - left + 1, bottom - top + 1];
    if (wide < 1 || high < 1) return;
    const start = top * this.columns + left;
    for (let row = 0; row < high; row++) averageRun(this.#mask, start + row * this.columns, 1, wide, radius);
    for (let column = 0; column < wide; column++) averageRun(this.#mask, start + column, this.columns, high, radius);
  }

  #stamp([ax, ay]: Point2, [bx, by]: Point2, half: number): void {
    const reach = 2 * half;
    const [dx, dy] = [bx - ax, by - ay];
    const square = dx * dx + dy * dy || 1e-9;
    const [left, right] = [
      Math.max(0, Math.ceil(Math.min(ax, bx) - reach)),
      Math.min(this.columns - 1, Math.max(ax, bx) + reach),
    ];
    const [top, bottom] = [
      Math.max(0, Math.ceil(Math.min(ay, by) - reach)),
      Math.min(this.rows - 1, Math.max(ay, by) + reach),
    ];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const along = Math.min(1, Math.max(0, ((column - ax) * dx + (row - ay) * dy) / square));
        const away = (column - ax - along * dx) ** 2 + (row - ay - along * dy) ** 2;
        if (away >= reach * reach) continue;
        const share = Math.exp((-1.4 * away) / (half * half));
        const at = row * this.columns + column;
        if (share > this.#mask[at]) this.#mask[at] = share;
      }
    }
  }

  /** Adds the marked pixels of a box and clears the marks. */
  #apply({ left, top, right, bottom }: PixelBox, value: (share: number, column: number, row: number) => number): void {
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const at = row * this.columns + column;
        if (this.#mask[at] === 0) continue;
        this.data[at] += value(this.#mask[at], column, row);
        this.#mask[at] = 0;
      }
    }
  }
}

interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function findCrossings(outline: readonly Point2[], y: number): number[] {
  const crossings: number[] = [];
  for (let i = 0; i < outline.length; i++) {
    const [ax, ay] = outline[i];
    const [bx, by] = outline[i + 1 < outline.length ? i + 1 : 0];
    if (ay > y !== by > y) crossings.push(ax + ((bx - ax) * (y - ay)) / (by - ay));
  }
  return crossings.sort((a, b) => a - b);
}

const scratch = new Float32Array(4096);

/** A running mean over a row or column of the mask, in place. */
function averageRun(values: Float32Array, start: number, stride: number, count: number, radius: number): void {
  for (let i = 0; i < count; i++) scratch[i] = values[start + i * stride];
  const read = (i: number): number => scratch[i < 0 ? 0 : i >= count ? count - 1 : i];
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += read(i);
  for (let i = 0; i < count; i++) {
    values[start + i * stride] = sum / (2 * radius + 1);
    sum += read(i + radius + 1) - read(i - radius);
  }
}

let noiseTile: Float32Array | null = null;

/** Spongy bone, four samples for each mesh: looked up, since each film asks tens of thousands of times. */
export function getNoiseTile(): Float32Array {
  noiseTile ??= Float32Array.from({ length: 256 * 256 }, (_, at) =>
    sampleTrabecularNoise((at & 255) / 4, (at >> 8) / 4, 3),
  );
  return noiseTile;
}
