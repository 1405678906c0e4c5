import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import type { Sharp } from "sharp";
import { reportRules } from "@arcada/contract/report/report.shape";
import { openedShades } from "@arcada/imaging/picture/stored";
import type { Answer, Loaded } from "../platform/runtime/worker-pool.ts";
import type { Cut, CutTask } from "./cut-picture.ts";

sharp.concurrency(1);
sharp.cache(false);

const pixelsMost = 268_402_689;

parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: CutTask) => parentPort?.postMessage(await answer(task)));

async function answer(task: CutTask): Promise<Answer<Cut>> {
  try {
    const { picture, box, turns, fit } = task;
    const whole = picture.format === "grey16" ? greyPicture(task) : sharp(task.path, { limitInputPixels: pixelsMost });
    const cut = box ? whole.extract(inside(box, picture)) : whole;
    const { data, info } = await cut
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
const greyPicture = ({ path, picture }: CutTask): Sharp =>
  sharp(openedShades(gunzipSync(readFileSync(path)), picture), {
    raw: { width: picture.columns, height: picture.rows, channels: 1 },
    limitInputPixels: pixelsMost,
  }).toColourspace("b-w");

/** The box with its margin, clipped to the image. */
function inside(box: NonNullable<CutTask["box"]>, { columns, rows }: CutTask["picture"]) {
  const [x, y] = [box.right - box.left, box.bottom - box.top].map((side) => Math.abs(side) * reportRules.cropMargin);
  const left = Math.max(0, Math.floor(Math.min(box.left, box.right) - x!));
  const top = Math.max(0, Math.floor(Math.min(box.top, box.bottom) - y!));
  const right = Math.min(columns, Math.ceil(Math.max(box.left, box.right) + x!));
  const bottom = Math.min(rows, Math.ceil(Math.max(box.top, box.bottom) + y!));
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
