import { readFileSync } from "node:fs";
import { isDocumentObject, isSegmentation } from "@arcada/imaging/dicom/parse/document-object";
import { readDicomHeader, type DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { unifyScale, toGrey16, type Grey16 } from "@arcada/imaging/dicom/pixels/grey16";
import { readOverlay } from "@arcada/imaging/dicom/pixels/overlay";
import { decodeFrame, greyOf, isColour, rgbOf, type RawFrame } from "@arcada/imaging/dicom/pixels/decode-frame";
import { resolvePresentation, type Presentation } from "@arcada/imaging/dicom/presentation/presentation-state";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { scaleWindow } from "@arcada/imaging/dicom/pixels/read-voi";
import { toGrey8 } from "@arcada/imaging/image/voi-window";
import type { ImageInfo } from "../../tables/study-columns.ts";
import { convertDocument } from "./pdf-document.ts";
import { toSharp, writeThumbnail, writeFile, writeBits, writeGrey16 } from "./write-image-files.ts";
import type { DerivedFile, PixelResult } from "./pixel-task-types.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/**
 * Converts a DICOM image for viewers, each of its frames to a file: grey values after the modality transformation, or
 * an ordinary image if it is in colour. A PDF or STL in a DICOM file is extracted unchanged.
 * @param states presentation states of its study; the latest that refers to the image is applied
 */
export async function convertDicomImage(path: string, states: readonly string[], out: string): Promise<PixelResult> {
  const file = readDicom(readFileSync(path));
  const header = readDicomHeader(file);
  if (isDocumentObject(header)) return convertDocument(file, header, out);
  if (isSegmentation(header)) return { did: "document", file: null };
  const first = await decodeFrame(file, 0);
  const applied = resolvePresentation(
    states.map((state) => readDicom(readFileSync(state))),
    file,
  );
  const converted = isColour(first)
    ? await convertColourFrames(file, first, out)
    : await convertGreyFrames(file, applied, out);
  const { info, ...rest } = converted;
  const presentation = applied && toPresentation(applied.presentation);
  return {
    did: "picture",
    ...rest,
    overlays: writeOverlays(file, applied?.state ?? null, out),
    info: { ...info, spacing: resolveSpacing(readDicomHeader(file)), presentation },
  };
}

const toPresentation = ({ label, notApplied, drawn }: Presentation): ImageInfo["presentation"] => ({
  label,
  notApplied,
  drawn,
});

type ConvertedImage = Omit<Extract<PixelResult, { did: "picture" }>, "did" | "overlays">;

async function convertColourFrames(file: DicomFile, first: RawFrame, out: string): Promise<ConvertedImage> {
  const images: DerivedFile[] = [];
  const { frames } = readDicomHeader(file);
  for (let frame = 0; frame < frames; frame++) {
    const { data, rows, columns } = rgbOf(file, frame === 0 ? first : await decodeFrame(file, frame));
    const image = toSharp({ data, rows, columns, channels: 3 });
    const bytes = await image.jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer();
    images.push(writeFile(out, `picture-${frame}`, bytes, "image/jpeg"));
  }
  const { data, rows, columns } = rgbOf(file, first);
  const thumbnail = await writeThumbnail({ data, rows, columns, channels: 3 }, out);
  return { info: plainImageInfo(columns, rows), images, thumbnail };
}

async function convertGreyFrames(
  file: DicomFile,
  applied: ReturnType<typeof resolvePresentation>,
  out: string,
): Promise<ConvertedImage> {
  const count = readDicomHeader(file).frames;
  const read: Grey16[] = [];
  for (let frame = 0; frame < count; frame++) read.push(toGrey16(greyOf(file, await decodeFrame(file, frame), frame)));
  const greys = unifyScale(read);
  const { rows, columns, data, scale, offset, ...first } = greys[0]!;
  const window = applied?.presentation.window
    ? scaleWindow(applied.presentation.window, { scale, offset })
    : first.window;
  const info: ImageInfo = {
    ...plainImageInfo(columns, rows),
    format: "grey16",
    signed: data instanceof Int16Array,
    inverted: applied?.presentation.inverted ?? first.inverted,
    min: Math.min(...greys.map(({ min }) => min)),
    max: Math.max(...greys.map(({ max }) => max)),
    window,
    valueScale: scale,
    valueOffset: offset,
  };
  const images = greys.map((grey, frame) => writeGrey16(grey.data, out, `picture-${frame}`));
  const first8 = toGrey8({ data }, { ...window, inverted: info.inverted });
  return { info, images, thumbnail: await writeThumbnail({ data: first8, columns, rows, channels: 1 }, out) };
}

/**
 * Returns the image's own overlays and those of the presentation state, a file for each frame; none if there are no
 * overlays.
 */
function writeOverlays(file: DicomFile, state: DicomFile | null, out: string): DerivedFile[] {
  const { rows, columns, frames } = readDicomHeader(file);
  const bits = Array.from({ length: frames }, (_, frame) => {
    const [own, added] = [readOverlay(file, frame), state && readOverlay(state, frame, { rows, columns })];
    return own && added ? own.map((bit, at) => bit | added[at]!) : (own ?? added);
  });
  if (bits.every((frame) => frame === null)) return [];
  return bits.map((one, frame) => writeBits(one ?? new Uint8Array(rows * columns), out, `overlay-${frame}`));
}

/** Describes an ordinary image to a viewer: 8 bits, displayed unchanged. */
export const plainImageInfo = (columns: number, rows: number): ImageInfo => ({
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
function resolveSpacing({
  pixelSpacing,
  imagerPixelSpacing,
  magnification,
}: Pick<DicomHeader, "pixelSpacing" | "imagerPixelSpacing" | "magnification">): ImageInfo["spacing"] {
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
