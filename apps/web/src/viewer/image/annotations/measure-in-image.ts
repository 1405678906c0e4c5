import type { RasterImage } from "@arcada/imaging/gl/raster-image";
import {
  sampleProfile,
  measureRegion,
  type RegionStatistics,
  type ValueGrid,
} from "@arcada/imaging/view/grey-value-statistics";
import {
  measureAngle,
  measureLength,
  measureLineAngle,
  type PixelSpacing,
  type Point2D,
} from "@arcada/imaging/view/measure-lengths-angles";
import type { Ruler } from "../../annotations/annotation-kind-types.ts";
import type { ImageFile } from "../loading/load-image.ts";

/**
 * Measures between image points: in mm by the spacing, in pixels without. Grey values are available only if the image
 * has them: an 8-bit image has none.
 */
export function createImageRuler(
  spacing: PixelSpacing | null,
  image: RasterImage | null,
  file: Pick<ImageFile, "valueScale" | "valueOffset"> | null,
): Ruler {
  const ruler: Ruler = {
    length: (a, b) => measureLength(toPoint(a), toPoint(b), spacing),
    angle: (a, corner, b) => measureAngle(toPoint(a), toPoint(corner), toPoint(b), spacing),
    lineAngle: (a, b, c, d) => measureLineAngle(toPoint(a), toPoint(b), toPoint(c), toPoint(d), spacing),
  };
  if (image?.kind !== "grey") return ruler;
  const grid = createValueGrid(image, file, spacing);
  const known = new Map<string, RegionStatistics | null>();
  return {
    ...ruler,
    region: (shape, a, b) => {
      const name = `${shape} ${toPoint(a).join()} ${toPoint(b).join()}`;
      const found = known.has(name) ? known.get(name)! : measureRegion(grid, shape, toPoint(a), toPoint(b));
      // Values that a drag passed on its way are not needed again.
      if (known.size > 100) known.clear();
      known.set(name, found);
      return found;
    },
    profile: (a, b) => sampleProfile(grid, toPoint(a), toPoint(b)),
  };
}

export const toPoint = ([x = 0, y = 0]: readonly number[]): Point2D => [x, y];

function createValueGrid(
  { data, columns, rows }: RasterImage & { kind: "grey" },
  file: Pick<ImageFile, "valueScale" | "valueOffset"> | null,
  spacing: PixelSpacing | null,
): ValueGrid {
  const { valueScale, valueOffset } = file ?? { valueScale: 1, valueOffset: 0 };
  const value = (column: number, row: number) => {
    const stored = data[row * columns + column];
    return stored === undefined ? null : stored * valueScale + valueOffset;
  };
  return { columns, rows, spacing, value };
}
