import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import type { Answer, Loaded } from "./worker-pool.ts";
import type { PictureCopy, PictureTask } from "./picture-copy.ts";

sharp.concurrency(1);
sharp.cache(false);

const pixelsMost = 268_402_689;

parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: PictureTask) => parentPort?.postMessage(await answer(task)));

async function answer({ path, side, as }: PictureTask): Promise<Answer<PictureCopy>> {
  try {
    const { data, info } = await sharp(path, { limitInputPixels: pixelsMost })
      .rotate()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      // What is clear in a PNG would be black in a JPEG.
      .flatten(as === "jpeg" && { background: "#ffffff" })
      .toFormat(as, { quality: 85 })
      .toBuffer({ resolveWithObject: true });
    return { value: { bytes: data, width: info.width, height: info.height } };
  } catch {
    return { refusal: "fileBroken" };
  }
}
