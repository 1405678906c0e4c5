import type { BlurredImage } from "@arcada/imaging/gl/raster-image";
import { blurImage } from "@arcada/imaging/image/blur";

export type BlurJob = BlurredImage & { columns: number; rows: number };

self.addEventListener("message", ({ data }: MessageEvent<BlurJob>) => {
  const result = runBlurJob(data);
  self.postMessage(result, { transfer: result.kind === "grey" ? [result.data.buffer] : [result.bitmap] });
});

function runBlurJob(job: BlurJob): BlurredImage {
  const { columns, rows } = job;
  if (job.kind === "grey") return { kind: "grey", data: blurImage(job.data, columns, rows) };
  const canvas = new OffscreenCanvas(columns, rows);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.drawImage(job.bitmap, 0, 0);
  job.bitmap.close();
  const image = context.getImageData(0, 0, columns, rows);
  image.data.set(blurImage(image.data, columns, rows, 4));
  context.putImageData(image, 0, 0);
  return { kind: "image", bitmap: canvas.transferToImageBitmap() };
}
