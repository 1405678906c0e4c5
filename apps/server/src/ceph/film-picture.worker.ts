import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import { autoWindow, toGrey8 } from "@arcada/imaging/picture/window";
import type { Answer, Loaded } from "../kernel/worker-pool.ts";
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

function greyFilm({ path, picture: { columns, rows, signed, window, inverted } }: FilmTask) {
  const unpacked = gunzipSync(readFileSync(path));
  // A view of 16-bit values wants an even beginning.
  const { buffer } = new Uint8Array(unpacked);
  const data = (signed ? new Int16Array(buffer) : new Uint16Array(buffer)).subarray(0, columns * rows);
  const { center, width, shape, table } = window ?? autoWindow(data);
  const look = { center, width, inverted, ...(shape && { shape }), ...(table !== undefined && { table }) };
  return sharp(toGrey8({ data }, look), {
    raw: { width: columns, height: rows, channels: 1 },
    limitInputPixels: pixelsMost,
  });
}
