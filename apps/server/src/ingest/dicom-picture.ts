import { readFileSync } from "node:fs";
import { DicomError } from "@arcada/imaging/dicom/error";
import { headerOf, type DicomHeader } from "@arcada/imaging/dicom/header";
import { decodeFrame, greyOf, isColour, rgbOf, type GreyFrame } from "@arcada/imaging/dicom/pixels";
import { readDicom } from "@arcada/imaging/dicom/read";
import { toGrey8 } from "@arcada/imaging/picture/window";
import type { PictureInfo } from "../tables/study.ts";
import { fromRaw, thumbnailOf, write, writeGrey16 } from "./picture-files.ts";
import type { PixelResult } from "./pixel-tasks.ts";

/** A DICOM picture for viewers: grey values after the modality transformation, or an ordinary picture where it is in colour. */
export async function convertDicomPicture(path: string, out: string): Promise<PixelResult> {
  const file = readDicom(readFileSync(path));
  const header = headerOf(file);
  const raw = await decodeFrame(file, 0);
  const spacing = spacingOf(header);
  if (isColour(raw)) {
    const { data, rows, columns } = rgbOf(file, raw);
    const colour = { data, rows, columns, channels: 3 } as const;
    const picture = write(
      out,
      "picture",
      await fromRaw(colour).jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer(),
      "image/jpeg",
    );
    return {
      did: "picture",
      info: { ...plainImage(columns, rows), spacing },
      picture,
      thumbnail: await thumbnailOf(colour, out),
    };
  }
  const grey = within16(greyOf(file, raw));
  const { rows, columns, min, max, inverted, window, data } = grey;
  const info: PictureInfo = {
    format: "grey16",
    columns,
    rows,
    signed: data instanceof Int16Array,
    inverted,
    min,
    max,
    window,
    spacing,
  };
  const shown = { data: toGrey8(grey, { ...window, inverted }), columns, rows, channels: 1 } as const;
  return { did: "picture", info, picture: writeGrey16(data, out, "picture"), thumbnail: await thumbnailOf(shown, out) };
}

/** What an ordinary picture is to a viewer: 8 bits, shown as it is. */
export const plainImage = (columns: number, rows: number): PictureInfo => ({
  format: "image",
  columns,
  rows,
  signed: false,
  inverted: false,
  min: 0,
  max: 255,
  window: null,
  spacing: null,
});

/**
 * PS3.3 10.7.1.3: Pixel Spacing that differs from Imager Pixel Spacing was calibrated; where only the detector's spacing
 * is known, the estimated magnification brings it into the patient.
 */
function spacingOf({
  pixelSpacing,
  imagerPixelSpacing,
  magnification,
}: Pick<DicomHeader, "pixelSpacing" | "imagerPixelSpacing" | "magnification">): PictureInfo["spacing"] {
  const same =
    pixelSpacing &&
    imagerPixelSpacing &&
    pixelSpacing.every((value, axis) => Math.abs(value - imagerPixelSpacing[axis]!) < 1e-6);
  if (pixelSpacing && !same) return { row: pixelSpacing[0], column: pixelSpacing[1], source: "pixelSpacing" };
  const detector = imagerPixelSpacing ?? pixelSpacing;
  return detector
    ? { row: detector[0] / (magnification ?? 1), column: detector[1] / (magnification ?? 1), source: "imager" }
    : null;
}

/** Viewers take 16 bits; a wider range is nowhere in dental imaging. */
function within16(grey: GreyFrame): GreyFrame & { data: Int16Array | Uint16Array } {
  if (grey.data instanceof Int32Array)
    throw new DicomError("unsupported", `grey values from ${grey.min} to ${grey.max}`);
  return { ...grey, data: grey.data };
}
