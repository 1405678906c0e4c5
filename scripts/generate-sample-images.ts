import path from "node:path";
import sharp from "sharp";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { cephSize, createCephPixels } from "@arcada/phantom/radiograph/cephalogram";
import {
  chooseRadiographTooth,
  createIntraoralPixels,
  intraoralSize,
} from "@arcada/phantom/radiograph/intraoral-radiograph";
import { createPanoramaPixels, panoramaSize } from "@arcada/phantom/radiograph/panorama";

// The images of the sample patient: drawn, of nobody, and small enough to come with the pages. The seed fixes the head.
const head = makeHead("sample patient");
const folder = path.resolve(import.meta.dirname, "../apps/web/src/pages/sample");

await writeImage("panorama", createPanoramaPixels(head), panoramaSize, 1400);
await writeImage("cephalogram", createCephPixels(head), cephSize, 900);
await writeImage("intraoral", createIntraoralPixels(head, chooseRadiographTooth(head)), intraoralSize, 800);

/** Writes 12-bit pixels as a greyscale JPEG of this width, between the darkest and the brightest value in use. */
async function writeImage(
  name: string,
  pixels: Uint16Array,
  { columns, rows }: { columns: number; rows: number },
  width: number,
): Promise<void> {
  const sorted = pixels.toSorted();
  const low = sorted[Math.floor(sorted.length * 0.005)]!;
  const high = sorted[Math.floor(sorted.length * 0.998)]!;
  const grey = Uint8Array.from(pixels, (value) => Math.max(0, Math.min(255, ((value - low) / (high - low)) * 255)));
  const { size } = await sharp(grey, { raw: { width: columns, height: rows, channels: 1 } })
    .resize(width)
    .jpeg({ quality: 78, mozjpeg: true })
    .toFile(path.join(folder, `${name}.jpg`));
  console.log(`${name}.jpg ${Math.round(size / 1000)} kB`);
}
