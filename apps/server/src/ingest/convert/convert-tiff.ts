import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { PlainImage } from "@arcada/imaging/dicom/parse/image-kind";
import { TiffError, readTiffPages, type TiffPage, type TiffReason } from "@arcada/imaging/tiff/tiff-pages";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { studyRules } from "@arcada/contract/study/study.rules";
import { refuse } from "../../platform/http/refuse.ts";
import { plainImageInfo } from "./convert-dicom-image.ts";
import { pixelLimit, writeThumbnail, writeFile, writeGrey16 } from "./write-image-files.ts";
import type { DerivedFile, PixelResult } from "./pixel-task-types.ts";
import * as plain from "./convert-plain-image.ts";

const refusals: Record<TiffReason, RefusalName> = {
  broken: "fileBroken",
  unsupported: "fileUnsupported",
  tooManyPages: "filePagesMany",
};

export async function inspectTiff(path: string): Promise<PlainImage & { isLossy: boolean }> {
  const [first] = findImagePages(path);
  const { width, height } = await plain.readMetadata(path, "tiff", first.index);
  const size = { width, height, density: first.density ?? undefined };
  return { ...(await plain.inspectPage({ path, place: first.index }, size)), isLossy: first.isLossy };
}

/**
 * Converts all pages of a TIFF, each to a frame. Pages of different sizes are placed in the upper left corner of a
 * frame that fits them all, pixel by pixel; a resolution is used only if all pages state it.
 */
export async function convertTiff(path: string, out: string): Promise<PixelResult> {
  const pages = findImagePages(path);
  const found = [];
  for (const { index: place } of pages) found.push({ place, ...(await plain.readMetadata(path, "tiff", place)) });
  const columns = Math.max(...found.map(({ width }) => width));
  const rows = Math.max(...found.map(({ height }) => height));
  if (columns * rows * found.length > pixelLimit) refuse("fileTooMuchMemory");
  const canvas: Canvas = { path, out, columns, rows };
  const thumbnail = await writeThumbnail(plain.uprightPage({ path, place: pages[0].index }), out);
  const converted = await (found.every(({ deep }) => deep)
    ? convertDeepPages(canvas, found)
    : convertImagePages(canvas, found));
  const [{ density }] = pages;
  const isOne = density !== null && pages.every((page) => page.density === density);
  const info = { ...converted.info, spacing: plain.spacingFromDensity(isOne ? density : undefined) };
  return { did: "picture", info, images: converted.images, overlays: [], thumbnail };
}

/** Returns the pages that are images of their own, determined before the decoder reads the file. */
function findImagePages(path: string): [TiffPage, ...TiffPage[]] {
  const all = readPages(path);
  const [first = all[0]!, ...more] = all.filter(({ isReduced }) => !isReduced);
  const pages: [TiffPage, ...TiffPage[]] = [first, ...more];
  const pixels = pages.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
  return pixels > pixelLimit ? refuse("fileTooMuchMemory") : pages;
}

function readPages(path: string): TiffPage[] {
  const file = openSync(path, "r");
  try {
    const read = (offset: number, length: number): Uint8Array => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
    };
    return readTiffPages(read, fstatSync(file).size, studyRules.maxPages);
  } catch (error) {
    if (error instanceof TiffError) return refuse(refusals[error.reason]);
    throw error;
  } finally {
    closeSync(file);
  }
}

interface Canvas {
  path: string;
  out: string;
  columns: number;
  rows: number;
}
interface PageSize {
  place: number;
  width: number;
  height: number;
}
type Pages = { info: ReturnType<typeof plainImageInfo>; images: DerivedFile[] };

const padding = ({ columns, rows }: Canvas, { width, height }: PageSize) => ({
  right: columns - width,
  bottom: rows - height,
  background: "#000",
});

async function convertImagePages(canvas: Canvas, pages: readonly PageSize[]): Promise<Pages> {
  const { path, out, columns, rows } = canvas;
  const images: DerivedFile[] = [];
  for (const [at, page] of pages.entries()) {
    const image = plain.uprightPage({ path, place: page.place }).extend(padding(canvas, page));
    const { bytes, type } = await plain.encodeImage(image, { width: columns, height: rows, lossless: true });
    images.push(writeFile(out, `picture-${at}`, bytes, type));
  }
  return { info: plainImageInfo(columns, rows), images };
}

async function convertDeepPages(canvas: Canvas, pages: readonly PageSize[]): Promise<Pages> {
  const read: plain.DeepGrey[] = [];
  for (const page of pages)
    read.push(
      await plain.readDeep(plain.openPage({ path: canvas.path, place: page.place }).extend(padding(canvas, page))),
    );
  const [first, ...more] = read;
  return {
    info: plain.deepImageInfo([first!, ...more]),
    images: read.map(({ data }, at) => writeGrey16(data, canvas.out, `picture-${at}`)),
  };
}
