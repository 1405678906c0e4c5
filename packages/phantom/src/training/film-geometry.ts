import type { Random } from "../math/random.ts";

/**
 * The way in which a machine and the patient's position in it bend a panoramic film. Lengths are mm on the detector from the
 * midline and from the occlusal plane, up positive.
 */
export interface FilmGeometry {
  /** Rise of the plane to both sides, mm for a square mm: "smile" if positive. */
  smile: number;
  /** Change of the front's width: the front teeth are outside the layer that is drawn sharply. */
  front: number;
  /** The head is turned: one side is wider, the other narrower. */
  turned: number;
  /** Spread of the roots: change of width with height, for 100 mm. */
  fan: number;
  /** Radians. */
  tilt: number;
  /** Displacement of the middle, mm. */
  shift: readonly [number, number];
  /** Degrees by which the beam comes from below. */
  elevation: number;
  /** Degrees by which the beam misses the contacts of the premolars. */
  obliquity: number;
  enlarged: number;
  /** The part of the detector that is kept: 1 is all of its width. */
  zoom: number;
}

export const chooseFilmGeometry = (random: Random): FilmGeometry => ({
  smile: random.between(-0.0006, 0.0026),
  front: random.between(-0.4, 0.25),
  turned: random.between(-0.22, 0.22),
  fan: random.between(-0.12, 0.3),
  tilt: (2.2 * random.normal() * Math.PI) / 180,
  shift: [5 * random.normal(), 6 * random.normal()],
  elevation: random.between(2, 11),
  obliquity: random.between(-6, 20),
  enlarged: random.between(1.15, 1.32),
  zoom: random.between(1.05, 1.85),
});

const reach = 180;

/** Maps points between the unrolled jaw and the film. */
export class FilmProjection {
  /** Positions on the film for each mm of the jaw, from -reach on. */
  readonly #across: Float64Array;
  readonly #geometry: FilmGeometry;

  constructor(geometry: FilmGeometry) {
    this.#geometry = geometry;
    const { front, turned } = geometry;
    this.#across = new Float64Array(2 * reach + 1);
    for (let i = 1; i < this.#across.length; i++) {
      const u = i - reach - 0.5;
      this.#across[i] =
        this.#across[i - 1] + Math.max(0.3, 1 + front * Math.exp(-((u / 24) ** 2)) + (turned * u) / 100);
    }
    const middle = this.#across[reach];
    for (let i = 0; i < this.#across.length; i++) this.#across[i] -= middle;
  }

  /** The point of the film on which a point of the unrolled jaw is drawn, both in mm of the detector. */
  toFilm(u: number, v: number): [number, number] {
    const { smile, fan, tilt, shift } = this.#geometry;
    const q = v + smile * u * u;
    const p = this.#readAcross(u) * (1 + (fan * v) / 100);
    const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
    return [cos * p - sin * q + shift[0], sin * p + cos * q + shift[1]];
  }

  /** The other way round. */
  toJaw(x: number, y: number): [number, number] {
    const { smile, fan, tilt, shift } = this.#geometry;
    const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
    const [dx, dy] = [x - shift[0], y - shift[1]];
    const [p, q] = [cos * dx + sin * dy, cos * dy - sin * dx];
    let [u, v] = [p, q];
    for (let pass = 0; pass < 3; pass++) {
      u = this.#findAcross(p / (1 + (fan * v) / 100));
      v = q - smile * u * u;
    }
    return [u, v];
  }

  #readAcross(u: number): number {
    const at = Math.min(2 * reach - 1, Math.max(0, Math.floor(u + reach)));
    return this.#across[at] + (this.#across[at + 1] - this.#across[at]) * (u + reach - at);
  }

  #findAcross(p: number): number {
    let [low, high] = [0, this.#across.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#across[middle] <= p) low = middle;
      else high = middle;
    }
    return low - reach + (p - this.#across[low]) / (this.#across[high] - this.#across[low]);
  }
}
