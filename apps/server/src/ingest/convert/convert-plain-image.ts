import sharp, { type Sharp } from "sharp";
import type { PlainImage } from "@arcada/imaging/dicom/parse/image-kind";
import { computeAutoWindow } from "@arcada/imaging/image/voi-window";
import type { ImageInfo } from "../../tables/study-columns.ts";
import { plainImageInfo } from "./convert-dicom-image.ts";
import { isDecodable } from "../../platform/storage/image-decoder-limit.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { pixelLimit, writeThumbnail, writeFile, writeGrey16 } from "./write-image-files.ts";
import type { PixelResult } from "./pixel-task-types.ts";

type Format = "jpeg" | "png";

/**
 * Decodes the image once, at a small size: an image that cannot be decoded is refused now and not found broken later.
 */
export async function inspectImage(path: string, format: Format): Promise<PlainImage> {
  const { width, height, density } = await readMetadata(path, format);
  return inspectPage({ path, place: 0 }, { width, height, density });
}

/** A page of a file that may have several. */
export interface Page {
  path: string;
  place: number;
}

export async function inspectPage(
  page: Page,
  { width, height, density }: { width: number; height: number; density: number | undefined },
): Promise<PlainImage> {
  const { data, info } = await openPage(page)
    .resize(64, 64, { fit: "fill" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const mmPerPixel = spacingFromDensity(density)?.row;
  return {
    width,
    height,
    colour: info.channels === 3 && isColoured(data),
    ...(mmPerPixel !== undefined && { mmPerPixel }),
  };
}

/** Radiographs are often saved as colour with three equal channels, and are nearly equal after JPEG. */
function isColoured(data: Uint8Array): boolean {
  let coloured = 0;
  for (let at = 0; at + 2 < data.length; at += 3) {
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 16) coloured++;
  }
  return coloured > data.length / 3 / 50;
}

/**
 * Re-encodes an image and turns it upright: nothing but pixels remains (no EXIF, no second format in its bytes). JPEG
 * stays JPEG; PNG stays lossless, in 16 bits if it has them.
 */
export async function convertPlainImage(path: string, format: Format, out: string): Promise<PixelResult> {
  const { width, height, density, deep } = await readMetadata(path, format);
  const spacing = spacingFromDensity(density);
  const thumbnail = await writeThumbnail(uprightPage({ path, place: 0 }), out);
  if (deep) {
    const grey = await readDeep(openPage({ path, place: 0 }));
    const images = [writeGrey16(grey.data, out, "picture")];
    return { did: "picture", info: { ...deepImageInfo([grey]), spacing }, images, overlays: [], thumbnail };
  }
  const image = await encodeImage(uprightPage({ path, place: 0 }), { width, height, lossless: format === "png" });
  const info = { ...plainImageInfo(width, height), spacing };
  return {
    did: "picture",
    info,
    images: [writeFile(out, "picture", image.bytes, image.type)],
    overlays: [],
    thumbnail,
  };
}

/** Eight bits, as every screen shows them. */
export const uprightPage = (page: Page): Sharp => openPage(page).flatten({ background: "#fff" }).toColourspace("srgb");

export async function encodeImage(
  image: Sharp,
  { width, height, lossless }: { width: number; height: number; lossless: boolean },
): Promise<{ bytes: Buffer; type: string }> {
  const isWebp = lossless && Math.max(width, height) <= maxWebpSide;
  const bytes = await (
    isWebp ? image.webp({ lossless: true, effort: 1 }) : image.jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
  ).toBuffer();
  return { bytes, type: isWebp ? "image/webp" : "image/jpeg" };
}

const maxWebpSide = 16_383;

export interface DeepGrey {
  data: Uint16Array;
  columns: number;
  rows: number;
}

/** Grey values of 16 bits, as they are. */
export async function readDeep(image: Sharp): Promise<DeepGrey> {
  const { data, info } = await image
    .toColourspace("grey16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const grey = new Uint16Array(data.buffer, data.byteOffset, info.width * info.height);
  return { data: grey, columns: info.width, rows: info.height };
}

/** Describes all pages to a viewer, which displays them with the window of the first page. */
export function deepImageInfo(pages: readonly [DeepGrey, ...DeepGrey[]]): ImageInfo {
  let [min, max] = [65_535, 0];
  for (const { data } of pages)
    for (const value of data) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  const [{ columns, rows, data }] = pages;
  return { ...plainImageInfo(columns, rows), format: "grey16", min, max, window: computeAutoWindow(data) };
}

/** The decoder works outside the worker thread, so the thread's own time limit does not cover it. */
const seconds = 120;

// `failOn: truncated` prevents a partial image from being accepted as a whole one.
export const openPage = ({ path, place }: Page): Sharp =>
  sharp(path, { page: place, limitInputPixels: pixelLimit, failOn: "truncated", autoOrient: true }).timeout({
    seconds,
  });

export async function readMetadata(path: string, format: Format | "tiff", place = 0) {
  const found = await sharp(path, { page: place, limitInputPixels: false }).metadata();
  if (!isDecodable(found, pixelLimit)) refuse("fileTooMuchMemory");
  if (found.format !== format) throw new Error(`a ${found.format} under another name`);
  const { width, height } = found.autoOrient;
  return { width, height, density: found.density, deep: found.depth === "ushort" && found.channels === 1 };
}

/** Programs without a known resolution write 72 or 96 dots per inch: only a scanner's value is a measure. */
export function spacingFromDensity(density: number | undefined): ImageInfo["spacing"] {
  if (density === undefined || density <= 96) return null;
  const millimetres = 25.4 / density;
  return { row: millimetres, column: millimetres, source: "resolution" };
}
