import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import type { Answer, Loaded } from "../kernel/worker-pool.ts";
import type { PictureTask } from "./picture-copy.ts";

sharp.concurrency(1);
sharp.cache(false);

const pixelsMost = 268_402_689;

parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: PictureTask) => parentPort?.postMessage(await answer(task)));

async function answer({ path, side }: PictureTask): Promise<Answer<Uint8Array>> {
  try {
    const value = await sharp(path, { limitInputPixels: pixelsMost })
      .rotate()
      .resize(side, side, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer();
    return { value };
  } catch {
    return { refusal: "fileBroken" };
  }
}
