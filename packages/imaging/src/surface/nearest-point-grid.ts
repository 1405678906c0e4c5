import type { Vector } from "../geometry/vector.ts";

/** Points (x y z one after another, mm) in boxes of equal size, to find the nearest one. */
export class PointGrid {
  private readonly positions: Float32Array;
  private readonly box: number;
  private readonly low: Vector;
  private readonly size: Vector;
  /** The start of each box in `order`. */
  private readonly starts: Uint32Array;
  private readonly order: Uint32Array;

  constructor(positions: Float32Array, box: number) {
    this.positions = positions;
    const [low, high] = computeRange(positions);
    // Never more boxes than a small machine's memory holds.
    const volume = [0, 1, 2].reduce((all, axis) => all * (high[axis] - low[axis] + box), 1);
    this.box = Math.max(box, Math.cbrt(volume / 4e6));
    this.low = low;
    const count = (axis: 0 | 1 | 2) => Math.floor((high[axis] - low[axis]) / this.box) + 1;
    this.size = [count(0), count(1), count(2)];
    const boxes = this.size[0] * this.size[1] * this.size[2];
    const where = new Uint32Array(positions.length / 3);
    this.starts = new Uint32Array(boxes + 1);
    for (let at = 0; at < where.length; at++) {
      where[at] = this.getBoxIndex(positions[3 * at], positions[3 * at + 1], positions[3 * at + 2]);
      this.starts[where[at] + 1]++;
    }
    for (let at = 0; at < boxes; at++) this.starts[at + 1] += this.starts[at];
    const next = this.starts.slice(0, boxes);
    this.order = new Uint32Array(where.length);
    for (let at = 0; at < where.length; at++) this.order[next[where[at]]++] = at;
  }

  /** The index of the nearest point within `reach` mm; −1 where there is none. */
  findNearest(point: Vector, reach: number): number {
    const best = { index: -1, square: reach * reach };
    const home = [0, 1, 2].map((axis) => Math.floor((point[axis] - this.low[axis]) / this.box));
    const rings = Math.ceil(reach / this.box);
    for (let ring = 0; ring <= rings; ring++) {
      // Everything in a further ring is at least this far away.
      if (best.index >= 0 && ((ring - 1) * this.box) ** 2 > best.square) break;
      this.searchRing(point, home, ring, best);
    }
    return best.index;
  }

  private searchRing(
    point: Vector,
    home: readonly number[],
    ring: number,
    best: { index: number; square: number },
  ): void {
    const [hx, hy, hz] = home;
    const [nx, ny, nz] = this.size;
    for (let z = Math.max(0, hz - ring); z <= Math.min(nz - 1, hz + ring); z++)
      for (let y = Math.max(0, hy - ring); y <= Math.min(ny - 1, hy + ring); y++) {
        const isFace = Math.abs(z - hz) === ring || Math.abs(y - hy) === ring;
        const step = isFace || ring === 0 ? 1 : 2 * ring;
        for (let x = hx - ring; x <= hx + ring; x += step)
          if (x >= 0 && x < nx) this.searchBox(point, x + nx * (y + ny * z), best);
      }
  }

  private searchBox([px, py, pz]: Vector, box: number, best: { index: number; square: number }): void {
    const { positions: p, order } = this;
    for (let at = this.starts[box]; at < this.starts[box + 1]; at++) {
      const from = 3 * order[at];
      const square = (p[from] - px) ** 2 + (p[from + 1] - py) ** 2 + (p[from + 2] - pz) ** 2;
      if (square >= best.square) continue;
      best.square = square;
      best.index = order[at];
    }
  }

  private getBoxIndex(x: number, y: number, z: number): number {
    const [nx, ny] = this.size;
    const [bx, by, bz] = [x - this.low[0], y - this.low[1], z - this.low[2]].map((from) => Math.floor(from / this.box));
    return bx + nx * (by + ny * bz);
  }
}

function computeRange(positions: Float32Array): [Vector, Vector] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at++) {
    const axis = at % 3;
    if (positions[at] < low[axis]) low[axis] = positions[at];
    if (positions[at] > high[axis]) high[axis] = positions[at];
  }
  return positions.length === 0
    ? [
        [0, 0, 0],
        [0, 0, 0],
      ]
    : [
        [low[0], low[1], low[2]],
        [high[0], high[1], high[2]],
      ];
}
