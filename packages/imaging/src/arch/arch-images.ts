import { joinBytes } from "../join-bytes.ts";
import { dot, type Vector } from "../geometry/vector.ts";
import { cornersOf, getMiddleVoxelPoint, type VolumeGeometry } from "../volume/volume-geometry.ts";
import { outsideValue } from "../volume/trilinear-sampler.ts";
import type { Volume } from "../volume/volume.ts";
import {
  findCrossSection,
  findFirstShown,
  initialCrossSectionSettings,
  initialPanoramaSettings,
  maxCrossSectionsShown,
} from "./arch-display-settings.ts";
import { countCrossSections, createCrossSection, getCrossSectionPosition } from "./cross-section.ts";
import { createCurvedSurface } from "./curved-surface.ts";
import { fitBend } from "./fit-surface-bend.ts";
import { renderCrossSectionImage, renderCurvedSurfaceImage, type SlabView } from "./slab-image.ts";
import type { SurfaceBend } from "./surface-bend.ts";

/** Values of the volume, `[row][column]`; `outsideValue` where there is none. */
export interface SlabImage extends Pick<SlabView, "columns" | "rows" | "middle" | "pixel"> {
  values: Int16Array;
}

/** The images with which a viewer of an arch begins, in its initial settings. */
export interface ArchImages {
  panorama: SlabImage;
  /** Consecutive cross-sections; `first` is the number of the first of them. */
  crossSections: { first: number; images: readonly SlabImage[] };
  /** The layer of the panorama; null where there is no hard tissue to fit to. */
  bend: SurfaceBend | null;
  /** The arch and the settings that they show: see `describeArchImageSource`. */
  source: string;
}

type ArchLine = Readonly<{ points: readonly Vector[]; up: Vector }>;

/**
 * Describes what the images of an arch show. Images of another description, as of an earlier version of the program, must
 * not be shown for it.
 */
export const describeArchImageSource = ({ points, up }: ArchLine): string =>
  JSON.stringify([imagesVersion, points, up, initialPanoramaSettings, initialCrossSectionSettings]);
const imagesVersion = 1;

/** mm from one pixel to the next, at least; two pixels for a voxel of the preview show all of it. */
const minPixel = 0.5;
const [maxColumns, maxRows] = [480, 360];
/**
 * The width of a cross-section, and its height over and under the arch, in mm: those of the viewports of all layouts in
 * usual windows.
 */
const crossSectionWidth = 48;
const crossSectionReach = 54;

/**
 * Renders the panorama over the whole height of the volume, and the cross-sections that viewers begin with, from the
 * volume's preview.
 * @param points control points of the arch (patient LPS, mm)
 * @returns null if the points form no arch
 */
export function renderArchImages(whole: VolumeGeometry, preview: Volume, line: ArchLine): ArchImages | null {
  const { points, up } = line;
  const path = createCurvedSurface(points, up, initialPanoramaSettings.depth);
  if (!path) return null;
  const bend = initialPanoramaSettings.isBent ? fitBend(preview.info, preview.data, path) : null;
  const heights = cornersOf(whole).map((corner) => dot(corner, path.up));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const finest = Math.max(minPixel, Math.min(...preview.info.spacing) / 2);
  const pixel = Math.max(finest, path.length / (maxColumns - 2), (high - low) / (maxRows - 2));
  const panorama = {
    ...coverRectangle([0, path.length], [low, high], pixel),
    slab: initialPanoramaSettings.slab,
  };
  const { spacing, slab } = initialCrossSectionSettings;
  const crossSection = {
    ...coverRectangle(
      [-crossSectionWidth / 2, crossSectionWidth / 2],
      [Math.max(low - path.level, -crossSectionReach), Math.min(high - path.level, crossSectionReach)],
      finest,
    ),
    slab,
  };
  const count = countCrossSections(path, spacing);
  const shown = Math.min(count, maxCrossSectionsShown);
  const first = findFirstShown(findCrossSection(path, spacing, getMiddleVoxelPoint(whole)), shown, count);
  return {
    panorama: toImage(panorama, renderCurvedSurfaceImage(preview, { ...path, ...(bend && { bend }) }, panorama)),
    crossSections: {
      first,
      images: Array.from({ length: shown }, (_, at) => {
        const section = createCrossSection(path, getCrossSectionPosition(spacing, first + at));
        return toImage(crossSection, renderCrossSectionImage(preview, section, crossSection));
      }),
    },
    bend,
    source: describeArchImageSource(line),
  };
}

/** The pixels over a rectangle in mm, its edges included. */
function coverRectangle(
  [left, right]: readonly [number, number],
  [low, high]: readonly [number, number],
  pixel: number,
): Omit<SlabImage, "values"> {
  const countPixels = (mm: number) => Math.max(1, Math.ceil(mm / pixel) + 1);
  const middle = [(left + right) / 2, (low + high) / 2] as const;
  return { columns: countPixels(right - left), rows: countPixels(high - low), middle, pixel };
}

const toImage = ({ columns, rows, middle, pixel }: SlabView, values: Int16Array): SlabImage => ({
  columns,
  rows,
  middle,
  pixel,
  values,
});

type ImageHeader = Omit<SlabImage, "values">;

/** The header of an encoded file; its values follow: those of the panorama, then those of each cross-section. */
interface Header {
  panorama: ImageHeader;
  crossSections: ImageHeader & { first: number; count: number };
  bend: SurfaceBend | null;
  source: string;
}

/**
 * Encodes images as one file: the length of the header in bytes (32 bits, little endian), the header as JSON, and all
 * values as 16-bit integers in little endian.
 */
export function encodeArchImages({ panorama, crossSections: { first, images }, bend, source }: ArchImages): Uint8Array {
  const { values: _, ...view } = images[0];
  const { values, ...panoramaView } = panorama;
  const header: Header = {
    panorama: panoramaView,
    crossSections: { ...view, first, count: images.length },
    bend,
    source,
  };
  const text = JSON.stringify(header);
  // Spaces make the values begin at an even byte.
  const json = new TextEncoder().encode(text.length % 2 === 0 ? text : `${text} `);
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, json.length, true);
  const toBytes = (grey: Int16Array) => new Uint8Array(grey.buffer, grey.byteOffset, grey.byteLength);
  return joinBytes([length, json, toBytes(values), ...images.map((image) => toBytes(image.values))]);
}

const lengthBytes = 4;

/** @throws TypeError, RangeError or SyntaxError if the bytes are not such a file */
export function decodeArchImages(bytes: ArrayBuffer): ArchImages {
  const headerBytes = new DataView(bytes).getUint32(0, true);
  const json = new TextDecoder().decode(new Uint8Array(bytes, lengthBytes, headerBytes));
  const { panorama, crossSections, bend, source } = JSON.parse(json) as Header;
  const isSound = [panorama, crossSections].every(isImageHeader) && (bend === null || isBend(bend));
  if (!isSound || !(crossSections.count <= maxCrossSectionsShown))
    throw new TypeError("these are no images of an arch");
  const values = new Int16Array(bytes, lengthBytes + headerBytes);
  const { first, count, ...view } = crossSections;
  const [sizeOfPanorama, size] = [panorama.columns * panorama.rows, view.columns * view.rows];
  if (values.length !== sizeOfPanorama + count * size) throw new TypeError("the images of the arch are not complete");
  return {
    panorama: { ...panorama, values: values.subarray(0, sizeOfPanorama) },
    crossSections: {
      first,
      images: Array.from({ length: count }, (_, at) => ({
        ...view,
        values: values.subarray(sizeOfPanorama + at * size, sizeOfPanorama + (at + 1) * size),
      })),
    },
    bend,
    source,
  };
}

const isSize = (count: number): boolean => Number.isInteger(count) && count > 0;
const isImageHeader = ({ columns, rows, middle, pixel }: ImageHeader): boolean =>
  isSize(columns) && isSize(rows) && middle.every(Number.isFinite) && pixel > 0;
const isBend = ({ columns, rows, low, step, out }: SurfaceBend): boolean =>
  isSize(columns) &&
  isSize(rows) &&
  Number.isFinite(low) &&
  step > 0 &&
  out.length === columns * rows &&
  out.every(Number.isFinite);

/**
 * Returns the values of an image at the pixels of another view, `[row][column]`: between its pixels by straight lines,
 * and `outsideValue` beyond its edges.
 */
export function resampleSlabImage(
  { columns, rows, middle, pixel, values }: SlabImage,
  view: Omit<SlabView, "slab">,
): Int16Array<ArrayBuffer> {
  const sampled = new Int16Array(view.columns * view.rows).fill(outsideValue);
  const scale = view.pixel / pixel;
  const left = (columns - 1) / 2 + (view.middle[0] - middle[0]) / pixel - ((view.columns - 1) / 2) * scale;
  // Heights grow upwards, rows downwards.
  const top = (rows - 1) / 2 + (middle[1] - view.middle[1]) / pixel - ((view.rows - 1) / 2) * scale;
  for (let row = 0; row < view.rows; row++) {
    const y = top + row * scale;
    if (!(y >= 0 && y <= rows - 1)) continue;
    const j = Math.min(Math.max(0, rows - 2), Math.floor(y));
    const below = Math.min(rows - 1, j + 1) * columns;
    for (let column = 0; column < view.columns; column++) {
      const x = left + column * scale;
      if (!(x >= 0 && x <= columns - 1)) continue;
      const i = Math.min(Math.max(0, columns - 2), Math.floor(x));
      const next = Math.min(columns - 1, i + 1);
      const u = x - i;
      const v = y - j;
      const [a, b] = [values[j * columns + i], values[j * columns + next]];
      const [c, d] = [values[below + i], values[below + next]];
      const isAtEdge = Math.min(a, b, c, d) === outsideValue;
      const nearest = v < 0.5 ? (u < 0.5 ? a : b) : u < 0.5 ? c : d;
      sampled[row * view.columns + column] = isAtEdge
        ? nearest
        : Math.round((a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v);
    }
  }
  return sampled;
}
