import { readFileSync } from "node:fs";
import { isEncapsulatedPdf } from "@arcada/imaging/dicom/encapsulated";
import { headerOf, type DicomHeader } from "@arcada/imaging/dicom/header";
import { sameScale, within16, type Grey16 } from "@arcada/imaging/dicom/grey16";
import { overlayOf } from "@arcada/imaging/dicom/overlay";
import { decodeFrame, greyOf, isColour, rgbOf, type RawFrame } from "@arcada/imaging/dicom/pixels";
import { presentationFor, type Presentation } from "@arcada/imaging/dicom/presentation";
import { readDicom, type DicomFile } from "@arcada/imaging/dicom/read";
import { inData } from "@arcada/imaging/dicom/voi";
import { toGrey8 } from "@arcada/imaging/picture/window";
import type { PictureInfo } from "../tables/study.ts";
import { takeDocument } from "./document-files.ts";
import { fromRaw, thumbnailOf, write, writeBits, writeGrey16 } from "./picture-files.ts";
import type { Made, PixelResult } from "./pixel-tasks.ts";

/**
 * Converts a DICOM image for viewers, each of its frames to a file: grey values after the modality transformation, or
 * an ordinary image if it is in colour. A PDF in a DICOM file is extracted unchanged.
 * @param states presentation states of its study; the latest that refers to the image is applied
 */
export async function convertDicomPicture(path: string, states: readonly string[], out: string): Promise<PixelResult> {
  const file = readDicom(readFileSync(path));
  if (isEncapsulatedPdf(headerOf(file))) return takeDocument(file, out);
  const first = await decodeFrame(file, 0);
  const shown = presentationFor(
    states.map((state) => readDicom(readFileSync(state))),
    file,
  );
  const made = isColour(first) ? await colourFrames(file, first, out) : await greyFrames(file, shown, out);
  const { info, ...rest } = made;
  const presentation = shown && pick(shown.presentation);
  return {
    did: "picture",
    ...rest,
    overlays: overlaysOf(file, shown?.state ?? null, out),
    info: { ...info, spacing: spacingOf(headerOf(file)), presentation },
  };
}

const pick = ({ label, notApplied, drawn }: Presentation): PictureInfo["presentation"] => ({
  label,
  notApplied,
  drawn,
});

type MadePicture = Omit<Extract<PixelResult, { did: "picture" }>, "did" | "overlays">;

async function colourFrames(file: DicomFile, first: RawFrame, out: string): Promise<MadePicture> {
  const pictures: Made[] = [];
  const { frames } = headerOf(file);
  for (let frame = 0; frame < frames; frame++) {
    const { data, rows, columns } = rgbOf(file, frame === 0 ? first : await decodeFrame(file, frame));
    const image = fromRaw({ data, rows, columns, channels: 3 });
    const bytes = await image.jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer();
    pictures.push(write(out, `picture-${frame}`, bytes, "image/jpeg"));
  }
  const { data, rows, columns } = rgbOf(file, first);
  const thumbnail = await thumbnailOf({ data, rows, columns, channels: 3 }, out);
  return { info: plainImage(columns, rows), pictures, thumbnail };
}

async function greyFrames(
  file: DicomFile,
  shown: ReturnType<typeof presentationFor>,
  out: string,
): Promise<MadePicture> {
  const count = headerOf(file).frames;
  const read: Grey16[] = [];
  for (let frame = 0; frame < count; frame++) read.push(within16(greyOf(file, await decodeFrame(file, frame), frame)));
  const greys = sameScale(read);
  const { rows, columns, data, scale, offset, ...first } = greys[0]!;
  const window = shown?.presentation.window ? inData(shown.presentation.window, { scale, offset }) : first.window;
  const info: PictureInfo = {
    ...plainImage(columns, rows),
    format: "grey16",
    signed: data instanceof Int16Array,
    inverted: shown?.presentation.inverted ?? first.inverted,
    min: Math.min(...greys.map(({ min }) => min)),
    max: Math.max(...greys.map(({ max }) => max)),
    window,
    valueScale: scale,
    valueOffset: offset,
  };
  const pictures = greys.map((grey, frame) => writeGrey16(grey.data, out, `picture-${frame}`));
  const first8 = toGrey8({ data }, { ...window, inverted: info.inverted });
  return { info, pictures, thumbnail: await thumbnailOf({ data: first8, columns, rows, channels: 1 }, out) };
}

/**
 * Returns the image's own overlays and those of the presentation state, a file for each frame; none if there are no
 * overlays.
 */
function overlaysOf(file: DicomFile, state: DicomFile | null, out: string): Made[] {
  const { rows, columns, frames } = headerOf(file);
  const bits = Array.from({ length: frames }, (_, frame) => {
    const [own, added] = [overlayOf(file, frame), state && overlayOf(state, frame, { rows, columns })];
    return own && added ? own.map((bit, at) => bit | added[at]!) : (own ?? added);
  });
  if (bits.every((frame) => frame === null)) return [];
  return bits.map((one, frame) => writeBits(one ?? new Uint8Array(rows * columns), out, `overlay-${frame}`));
}

/** Describes an ordinary image to a viewer: 8 bits, displayed unchanged. */
export const plainImage = (columns: number, rows: number): PictureInfo => ({
  format: "image",
  columns,
  rows,
  signed: false,
  inverted: false,
  min: 0,
  max: 255,
  window: null,
  valueOffset: 0,
  valueScale: 1,
  presentation: null,
  spacing: null,
});

/**
 * PS3.3 10.7.1.3: Pixel Spacing that differs from Imager Pixel Spacing was calibrated. If only the detector's spacing
 * is known, the estimated magnification converts it to the patient.
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
