import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import { renderStoredGrey } from "@arcada/imaging/image/stored-grey";
import type { TaskResult, WorkerLoaded } from "../platform/runtime/worker-pool.ts";
import type { RadiographImage, RadiographTask } from "./render-radiograph-image.ts";

sharp.concurrency(1);
sharp.cache(false);

const maxPixels = 268_402_689;
const quality = 90;

parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (task: RadiographTask) => parentPort?.postMessage(await runTask(task)));

async function runTask(task: RadiographTask): Promise<TaskResult<RadiographImage>> {
  try {
    const radiograph =
      task.picture.format === "grey16" ? openGreyImage(task) : sharp(task.path, { limitInputPixels: maxPixels });
    const { data, info } = await radiograph
      .rotate(task.turns * 90)
      .resize(task.side, task.side, { fit: "inside" })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true });
    return { value: { bytes: new Uint8Array(data), width: info.width, height: info.height } };
  } catch {
    return { refusal: "fileBroken" };
  }
}

const openGreyImage = ({ path, picture: image }: RadiographTask) =>
  sharp(renderStoredGrey(gunzipSync(readFileSync(path)), image), {
    raw: { width: image.columns, height: image.rows, channels: 1 },
    limitInputPixels: maxPixels,
  });
