import { open } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import sharp, { type Sharp } from "sharp";
import { readIcon } from "./read-icon.ts";
import { isDecodable } from "./image-decoder-limit.ts";
import { Refused, refuse } from "../http/refuse.ts";
import type { TaskResult, WorkerLoaded } from "../runtime/worker-pool.ts";
import type { ImageCopy, ImageTask } from "./image-copy.ts";

sharp.concurrency(1);
sharp.cache(false);

/** This limit applies to every image; the pixel count comes from its header. */
const maxPixels = 268_402_689;
/** The decoder works outside this thread, and the thread's own time limit does not cover it. */
const seconds = 15;

parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (task: ImageTask) => parentPort?.postMessage(await runTask(task)));

async function runTask(task: ImageTask): Promise<TaskResult<ImageCopy>> {
  try {
    return { value: await makeCopy(await openImage(task), task) };
  } catch (error) {
    return { refusal: error instanceof Refused ? error.refusal : "fileBroken" };
  }
}

async function makeCopy(image: Sharp, { width, height, isFilled, as, withPixels }: ImageTask): Promise<ImageCopy> {
  const fitted = image
    .autoOrient()
    .resize(width, height, isFilled ? { fit: "cover" } : { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    // Transparent areas of a PNG would be black in a JPEG.
    .flatten(as === "jpeg" && { background: "#ffffff" })
    .timeout({ seconds });
  if (!withPixels) {
    const { data, info } = await fitted.toFormat(as, { quality: 85 }).toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  }
  const { data, info } = await fitted.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 4 } as const;
  return { bytes: await sharp(data, { raw }).toFormat(as).toBuffer(), pixels: data, ...raw };
}

/** We choose the decoder: a file is read only as the format that its first bytes indicate. */
async function openImage({ source, kinds, pixelsMost: most = maxPixels }: ImageTask): Promise<Sharp> {
  if (!kinds) return openChecked("path" in source ? source.path : source.bytes, most);
  const head = "path" in source ? await readHead(source.path) : source.bytes;
  const kind = kinds.find((one) => signatures[one](head));
  if (kind === undefined) return refuse("fileBroken");
  if (kind !== "icon") return openChecked("path" in source ? source.path : source.bytes, most);
  const icon = readIcon(head);
  if ("png" in icon) return openChecked(icon.png, most);
  return sharp(icon.rgba, { raw: { width: icon.width, height: icon.height, channels: 4 } });
}

/** The size is in the header: an image that is too large is refused before a pixel is decoded. */
async function openChecked(input: string | Uint8Array, most: number): Promise<Sharp> {
  const found = await sharp(input, { limitInputPixels: false }).metadata();
  if (!isDecodable(found, most)) refuse("pictureTooLarge");
  return sharp(input, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true });
}

const startsWith = (bytes: Uint8Array, ...signature: number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte);
const signatures: Record<NonNullable<ImageTask["kinds"]>[number], (bytes: Uint8Array) => boolean> = {
  jpeg: (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff),
  png: (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  webp: (bytes) => startsWith(bytes, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes.subarray(8), 0x57, 0x45, 0x42, 0x50),
  icon: (bytes) => startsWith(bytes, 0, 0, 1, 0),
};

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const head = new Uint8Array(16);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
