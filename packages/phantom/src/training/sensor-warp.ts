import type { Random } from "../math/random.ts";
import { createPlate, readPlate, type Plate } from "../radiograph/plate.ts";

/**
 * The way in which the sensor's position changes the picture: longer or shorter teeth by a wrong angle, a bent film,
 * a film that is not level. Lengths are mm, up positive.
 */
export class SensorWarp {
  readonly #stretch: number;
  readonly #shear: number;
  readonly #bend: number;
  readonly #turn: number;
  readonly #centre: readonly [number, number];
  readonly #size: { wide: number; high: number };

  constructor(size: { wide: number; high: number }, centre: readonly [number, number], random: Random) {
    this.#stretch = Math.exp(0.13 * random.normal());
    this.#shear = 0.05 * random.normal();
    this.#bend = random.unit() < 0.3 ? 0.006 * random.normal() : 0;
    this.#turn = (random.unit() < 0.12 ? 12 : 4) * random.normal() * (Math.PI / 180);
    this.#centre = centre;
    this.#size = size;
  }

  /** The point of the sensor, from its middle, on which a point of the straight detector is drawn. */
  toSensor(u: number, v: number): [number, number] {
    const x1 = u - this.#centre[0];
    const y1 = this.#stretch * (v - this.#centre[1]) + this.#bend * x1 * x1;
    const x2 = x1 + this.#shear * y1;
    const [cos, sin] = [Math.cos(this.#turn), Math.sin(this.#turn)];
    return [cos * x2 - sin * y1, sin * x2 + cos * y1];
  }

  /** The other way round. */
  #toDetector(x: number, y: number): [number, number] {
    const [cos, sin] = [Math.cos(this.#turn), Math.sin(this.#turn)];
    const [x2, y1] = [cos * x + sin * y, cos * y - sin * x];
    const x1 = x2 - this.#shear * y1;
    return [x1 + this.#centre[0], (y1 - this.#bend * x1 * x1) / this.#stretch + this.#centre[1]];
  }

  /** The sensor's picture of what is on the detector. */
  resample(plate: Plate, pixel: number): Plate {
    const [columns, rows] = [Math.round(this.#size.wide / pixel), Math.round(this.#size.high / pixel)];
    const out = createPlate(columns, rows, pixel, [columns / 2, rows / 2]);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const [u, v] = this.#toDetector((column + 0.5 - columns / 2) * pixel, (rows / 2 - row - 0.5) * pixel);
        out.data[row * columns + column] = readPlate(
          plate,
          plate.zero[0] + u / plate.pixel,
          plate.zero[1] - v / plate.pixel,
        );
      }
    }
    return out;
  }
}
