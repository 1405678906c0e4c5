import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import type { Sharp } from "sharp";
import { reportRules } from "@arcada/contract/report/report.schema";
import { renderStoredGrey } from "@arcada/imaging/image/stored-grey";
import type { TaskResult, WorkerLoaded } from "../platform/runtime/worker-pool.ts";
import type { CroppedImage, CropTask } from "./crop-image.ts";

sharp.concurrency(1);
sharp.cache(false);

const maxPixels = 268_402_689;

parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (task: CropTask) => parentPort?.postMessage(await runTask(task)));

async function runTask(task: CropTask): Promise<TaskResult<CroppedImage>> {
  try {
    const { picture: image, box, turns, fit } = task;
    const whole = image.format === "grey16" ? openGreyImage(task) : sharp(task.path, { limitInputPixels: maxPixels });
    const cropped = box ? whole.extract(clipBox(box, image)) : whole;
    const { data, info } = await cropped
      .rotate(turns * 90)
      .resize(fit.width, fit.height, { fit: "inside", kernel: "lanczos3" })
      .jpeg({ quality: reportRules.pictureQuality, chromaSubsampling: "4:4:4" })
      .toBuffer({ resolveWithObject: true });
    return { value: { jpeg: new Uint8Array(data), width: info.width, height: info.height } };
  } catch {
    return { refusal: "fileBroken" };
  }
}

/** Applies the window with which the viewer opens the image. */
const openGreyImage = ({ path, picture: image }: CropTask): Sharp =>
  sharp(renderStoredGrey(gunzipSync(readFileSync(path)), image), {
    raw: { width: image.columns, height: image.rows, channels: 1 },
    limitInputPixels: maxPixels,
  }).toColourspace("b-w");

/** The box with its margin, clipped to the image. */
function clipBox(box: NonNullable<CropTask["box"]>, { columns, rows }: CropTask["picture"]) {
  const [x, y] = [box.right - box.left, box.bottom - box.top].map((side) => Math.abs(side) * reportRules.cropMargin);
  const left = Math.max(0, Math.floor(Math.min(box.left, box.right) - x!));
  const top = Math.max(0, Math.floor(Math.min(box.top, box.bottom) - y!));
  const right = Math.min(columns, Math.ceil(Math.max(box.left, box.right) + x!));
  const bottom = Math.min(rows, Math.ceil(Math.max(box.top, box.bottom) + y!));
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
