import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { DicomError } from "@arcada/imaging/dicom/error";
import { readMesh } from "@arcada/imaging/mesh/read";
import { dicomRefusals } from "./dicom-refusals.ts";
import { endsAsPdf } from "./document-files.ts";
import { convertDicomPicture } from "./dicom-picture.ts";
import { convertModel, texturesOf } from "./model-files.ts";
import { convertPlainPicture, lookAtPicture } from "./plain-picture.ts";
import { convertTiff, lookAtTiff } from "./tiff-picture.ts";
import type { PixelResult, PixelTask, VolumeStep } from "./pixel-tasks.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { troubleOf } from "./trouble.ts";
import { convertVolume } from "./volume-files.ts";
import type { Answer, Loaded, Trouble } from "../platform/runtime/worker-pool.ts";

/** The thread that decodes pixels and meshes, so that no request waits for a codec. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: PixelTask) => parentPort?.postMessage(await answer(task)));

async function answer(task: PixelTask): Promise<Answer<PixelResult> | Trouble> {
  try {
    return { value: await work(task) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    const trouble = troubleOf(error);
    if (trouble) return { trouble };
    return { refusal: error instanceof DicomError ? dicomRefusals[error.reason] : "fileBroken" };
  }
}

async function work(task: PixelTask): Promise<PixelResult> {
  if (task.do === "dicomPicture") return convertDicomPicture(task.path, task.states, task.out);
  if (task.do === "plainPicture")
    return task.format === "tiff"
      ? convertTiff(task.path, task.out)
      : convertPlainPicture(task.path, task.format, task.out);
  if (task.do === "volume") return convertVolume(task, (step: VolumeStep) => parentPort?.postMessage({ step }));
  if (task.do === "model") return convertModel(task, task.out);
  if (task.format === "jpeg" || task.format === "png")
    return { did: "look", picture: await lookAtPicture(task.path, task.format) };
  if (task.format === "tiff") return { did: "look", picture: await lookAtTiff(task.path) };
  if (task.format === "pdf") return endsAsPdf(task.path) ? { did: "look", picture: null } : refuse("fileTruncated");
  if (task.format === "mtl") return { did: "look", picture: null, textures: texturesOf(readFileSync(task.path)) };
  readMesh(readFileSync(task.path), task.format);
  return { did: "look", picture: null };
}
