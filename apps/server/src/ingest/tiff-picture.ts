import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { PlainPicture } from "@arcada/imaging/dicom/kind";
import { TiffError, tiffPages, type TiffPage, type TiffReason } from "@arcada/imaging/tiff/pages";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { studyRules } from "@arcada/contract/study/study.rules";
import { refuse } from "../platform/http/refuse.ts";
import { plainImage } from "./dicom-picture.ts";
import { pixelLimit, thumbnailOf, write, writeGrey16 } from "./picture-files.ts";
import type { Made, PixelResult } from "./pixel-tasks.ts";
import * as plain from "./plain-picture.ts";

const refusals: Record<TiffReason, RefusalName> = {
  broken: "fileBroken",
  unsupported: "fileUnsupported",
  tooManyPages: "filePagesMany",
};

export async function lookAtTiff(path: string): Promise<PlainPicture & { isLossy: boolean }> {
  const [first] = pagesOf(path);
  const { width, height } = await plain.metadata(path, "tiff", first.place);
  const size = { width, height, density: first.density ?? undefined };
  return { ...(await plain.lookAtPage({ path, place: first.place }, size)), isLossy: first.isLossy };
}

/**
 * Converts all pages of a TIFF, each to a frame. Pages of different sizes are placed in the upper left corner of a
 * frame that fits them all, pixel by pixel; a resolution is used only if all pages state it.
 */
export async function convertTiff(path: string, out: string): Promise<PixelResult> {
  const pages = pagesOf(path);
  const found = [];
  for (const { place } of pages) found.push({ place, ...(await plain.metadata(path, "tiff", place)) });
  const columns = Math.max(...found.map(({ width }) => width));
  const rows = Math.max(...found.map(({ height }) => height));
  if (columns * rows * found.length > pixelLimit) refuse("fileTooMuchMemory");
  const whole: Whole = { path, out, columns, rows };
  const thumbnail = await thumbnailOf(plain.uprightPage({ path, place: pages[0].place }), out);
  const made = await (found.every(({ deep }) => deep) ? deepPages(whole, found) : imagePages(whole, found));
  const [{ density }] = pages;
  const isOne = density !== null && pages.every((page) => page.density === density);
  const info = { ...made.info, spacing: plain.spacingOf(isOne ? density : undefined) };
  return { did: "picture", info, pictures: made.pictures, overlays: [], thumbnail };
}

/** Returns the pages that are images of their own, determined before the decoder reads the file. */
function pagesOf(path: string): [TiffPage, ...TiffPage[]] {
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
    return tiffPages(read, fstatSync(file).size, studyRules.pagesMost);
  } catch (error) {
    if (error instanceof TiffError) return refuse(refusals[error.reason]);
    throw error;
  } finally {
    closeSync(file);
  }
}

interface Whole {
  path: string;
  out: string;
  columns: number;
  rows: number;
}
interface Sized {
  place: number;
  width: number;
  height: number;
}
type Pages = { info: ReturnType<typeof plainImage>; pictures: Made[] };

const padding = ({ columns, rows }: Whole, { width, height }: Sized) => ({
  right: columns - width,
  bottom: rows - height,
  background: "#000",
});

async function imagePages(whole: Whole, pages: readonly Sized[]): Promise<Pages> {
  const { path, out, columns, rows } = whole;
  const pictures: Made[] = [];
  for (const [at, page] of pages.entries()) {
    const image = plain.uprightPage({ path, place: page.place }).extend(padding(whole, page));
    const { bytes, type } = await plain.encoded(image, { width: columns, height: rows, lossless: true });
    pictures.push(write(out, `picture-${at}`, bytes, type));
  }
  return { info: plainImage(columns, rows), pictures };
}

async function deepPages(whole: Whole, pages: readonly Sized[]): Promise<Pages> {
  const read: plain.DeepGrey[] = [];
  for (const page of pages)
    read.push(
      await plain.readDeep(plain.openPage({ path: whole.path, place: page.place }).extend(padding(whole, page))),
    );
  const [first, ...more] = read;
  return {
    info: plain.deepImage([first!, ...more]),
    pictures: read.map(({ data }, at) => writeGrey16(data, whole.out, `picture-${at}`)),
  };
}
