import type { Picture } from "@arcada/imaging/gl/picture";
import { profileValues, regionValues, type RegionValues, type ValueGrid } from "@arcada/imaging/view/grey-values";
import {
  pictureAngle,
  pictureLength,
  pictureLineAngle,
  type PixelSpacing,
  type Spot,
} from "@arcada/imaging/view/measure";
import type { Ruler } from "../marks/kind.ts";
import type { PictureFile } from "./load-picture.ts";

/**
 * Measures between image points: in mm by the spacing, in pixels without. Grey values are available only if the image
 * has them: an 8-bit image has none.
 */
export function pictureRuler(
  spacing: PixelSpacing | null,
  picture: Picture | null,
  file: Pick<PictureFile, "valueScale" | "valueOffset"> | null,
): Ruler {
  const ruler: Ruler = {
    length: (a, b) => pictureLength(spotOf(a), spotOf(b), spacing),
    angle: (a, corner, b) => pictureAngle(spotOf(a), spotOf(corner), spotOf(b), spacing),
    between: (a, b, c, d) => pictureLineAngle(spotOf(a), spotOf(b), spotOf(c), spotOf(d), spacing),
  };
  if (picture?.kind !== "grey") return ruler;
  const grid = gridOf(picture, file, spacing);
  const known = new Map<string, RegionValues | null>();
  return {
    ...ruler,
    region: (shape, a, b) => {
      const name = `${shape} ${spotOf(a).join()} ${spotOf(b).join()}`;
      const found = known.has(name) ? known.get(name)! : regionValues(grid, shape, spotOf(a), spotOf(b));
      // Values that a drag passed on its way are not needed again.
      if (known.size > 100) known.clear();
      known.set(name, found);
      return found;
    },
    profile: (a, b) => profileValues(grid, spotOf(a), spotOf(b)),
  };
}

export const spotOf = ([x = 0, y = 0]: readonly number[]): Spot => [x, y];

function gridOf(
  { data, columns, rows }: Picture & { kind: "grey" },
  file: Pick<PictureFile, "valueScale" | "valueOffset"> | null,
  spacing: PixelSpacing | null,
): ValueGrid {
  const { valueScale, valueOffset } = file ?? { valueScale: 1, valueOffset: 0 };
  const value = (column: number, row: number) => {
    const stored = data[row * columns + column];
    return stored === undefined ? null : stored * valueScale + valueOffset;
  };
  return { columns, rows, spacing, value };
}
