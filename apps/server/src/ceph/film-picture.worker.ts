import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import { openedShades } from "@arcada/imaging/picture/stored";
import type { Answer, Loaded } from "../platform/runtime/worker-pool.ts";
import type { FilmPicture, FilmTask } from "./film-picture.ts";

sharp.concurrency(1);
sharp.cache(false);

const pixelsMost = 268_402_689;
const quality = 90;

parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: FilmTask) => parentPort?.postMessage(await answer(task)));

async function answer(task: FilmTask): Promise<Answer<FilmPicture>> {
  try {
    const film = task.picture.format === "grey16" ? greyFilm(task) : sharp(task.path, { limitInputPixels: pixelsMost });
    const { data, info } = await film
      .rotate(task.turns * 90)
      .resize(task.side, task.side, { fit: "inside" })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true });
    return { value: { bytes: new Uint8Array(data), width: info.width, height: info.height } };
  } catch {
    return { refusal: "fileBroken" };
  }
}

const greyFilm = ({ path, picture }: FilmTask) =>
  sharp(openedShades(gunzipSync(readFileSync(path)), picture), {
    raw: { width: picture.columns, height: picture.rows, channels: 1 },
    limitInputPixels: pixelsMost,
  });
