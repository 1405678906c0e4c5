import sharp, { type Sharp } from "sharp";
import type { PlainPicture } from "@arcada/imaging/dicom/kind";
import { autoWindow } from "@arcada/imaging/picture/window";
import type { PictureInfo } from "../tables/study.ts";
import { plainImage } from "./dicom-picture.ts";
import { isDecodable } from "../kernel/picture-size.ts";
import { refuse } from "../kernel/refuse.ts";
import { pixelLimit, thumbnailOf, write, writeGrey16 } from "./picture-files.ts";
import type { PixelResult } from "./pixel-tasks.ts";

type Format = "jpeg" | "png";

/** Decodes it once, small: what cannot be decoded is refused now and not found broken later. */
export async function lookAtPicture(path: string, format: Format): Promise<PlainPicture> {
  const { width, height, density } = await metadata(path, format);
  const { data, info } = await open(path)
    .resize(64, 64, { fit: "fill" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const mmPerPixel = spacingOf(density)?.row;
  return {
    width,
    height,
    colour: info.channels === 3 && isColoured(data),
    ...(mmPerPixel !== undefined && { mmPerPixel }),
  };
}

/** Radiographs are often saved as colour with three equal channels, and come back from JPEG nearly equal. */
function isColoured(data: Uint8Array): boolean {
  let coloured = 0;
  for (let at = 0; at + 2 < data.length; at += 3) {
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 16) coloured++;
  }
  return coloured > data.length / 3 / 50;
}

/**
 * A picture re-encoded: nothing but pixels is left of what came (no EXIF, no second nature), turned upright. JPEG stays
 * JPEG; PNG stays without loss, in 16 bits where it has them.
 */
export async function convertPlainPicture(path: string, format: Format, out: string): Promise<PixelResult> {
  const { width, height, density, deep } = await metadata(path, format);
  const spacing = spacingOf(density);
  const thumbnail = await thumbnailOf(open(path).flatten({ background: "#fff" }).toColourspace("srgb"), out);
  if (deep) return { did: "picture", ...(await deepGrey(path, out, spacing)), overlays: [], thumbnail };
  const upright = open(path).flatten({ background: "#fff" }).toColourspace("srgb");
  const lossless = format === "png" && Math.max(width, height) <= webpSide;
  const bytes = await (
    lossless ? upright.webp({ lossless: true, effort: 1 }) : upright.jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
  ).toBuffer();
  const picture = write(out, "picture", bytes, lossless ? "image/webp" : "image/jpeg");
  const info = { ...plainImage(width, height), spacing };
  return { did: "picture", info, pictures: [picture], overlays: [], thumbnail };
}

const webpSide = 16_383;

async function deepGrey(path: string, out: string, spacing: PictureInfo["spacing"]) {
  const { data, info } = await open(path)
    .toColourspace("grey16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const grey = new Uint16Array(data.buffer, data.byteOffset, info.width * info.height);
  let [min, max] = [65_535, 0];
  for (const value of grey) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const { width: columns, height: rows } = info;
  const picture: PictureInfo = {
    ...plainImage(columns, rows),
    format: "grey16",
    min,
    max,
    window: autoWindow(grey),
    spacing,
  };
  return { info: picture, pictures: [writeGrey16(grey, out, "picture")] };
}

/** The decoder works outside the thread, whose own clock does not count for it. */
const seconds = 120;

// `failOn: truncated` keeps half a picture from passing for one.
const open = (path: string): Sharp =>
  sharp(path, { limitInputPixels: pixelLimit, failOn: "truncated", autoOrient: true }).timeout({ seconds });

async function metadata(path: string, format: Format) {
  const found = await sharp(path, { limitInputPixels: false }).metadata();
  if (!isDecodable(found, pixelLimit)) refuse("fileTooMuchMemory");
  if (found.format !== format) throw new Error(`a ${found.format} under another name`);
  const { width, height } = found.autoOrient;
  return { width, height, density: found.density, deep: found.depth === "ushort" && found.channels === 1 };
}

/** Programs that know nothing write 72 or 96 dots an inch: only a scanner's figure is a measure. */
function spacingOf(density: number | undefined): PictureInfo["spacing"] {
  if (density === undefined || density <= 96) return null;
  const millimetres = 25.4 / density;
  return { row: millimetres, column: millimetres, source: "resolution" };
}
