import type { Blurred } from "@arcada/imaging/gl/picture";
import { blurred } from "@arcada/imaging/picture/blurred";

export type BlurJob = Blurred & { columns: number; rows: number };

self.addEventListener("message", ({ data }: MessageEvent<BlurJob>) => {
  const soft = softened(data);
  self.postMessage(soft, { transfer: soft.kind === "grey" ? [soft.data.buffer] : [soft.bitmap] });
});

function softened(job: BlurJob): Blurred {
  const { columns, rows } = job;
  if (job.kind === "grey") return { kind: "grey", data: blurred(job.data, columns, rows) };
  const canvas = new OffscreenCanvas(columns, rows);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.drawImage(job.bitmap, 0, 0);
  job.bitmap.close();
  const image = context.getImageData(0, 0, columns, rows);
  image.data.set(blurred(image.data, columns, rows, 4));
  context.putImageData(image, 0, 0);
  return { kind: "image", bitmap: canvas.transferToImageBitmap() };
}
