import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { DicomError } from "@arcada/imaging/dicom/dicom-error";
import { MeshError, type MeshFault } from "@arcada/imaging/mesh/mesh-error";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { dicomRefusals } from "../read/dicom-refusals.ts";
import { isCompletePdf } from "./pdf-document.ts";
import { convertDicomImage } from "./convert-dicom-image.ts";
import { convertModel, readTextureNames } from "./convert-model.ts";
import { convertPlainImage, inspectImage } from "./convert-plain-image.ts";
import { convertTiff, inspectTiff } from "./convert-tiff.ts";
import type { PixelResult, PixelTask, VolumeStep } from "./pixel-task-types.ts";
import { readVideo } from "../read/read-video.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { lowerThreadPriority } from "../../platform/runtime/thread-priority.ts";
import { transientErrorMessage } from "../transient-error.ts";
import { convertVolume } from "./convert-volume.ts";
import type { TaskResult, WorkerLoaded, TaskFault } from "../../platform/runtime/worker-pool.ts";

/** The thread that decodes pixels and meshes, so that no request waits for a codec. */
lowerThreadPriority();
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (task: PixelTask) => parentPort?.postMessage(await runTask(task)));

async function runTask(task: PixelTask): Promise<TaskResult<PixelResult> | TaskFault> {
  try {
    return { value: await dispatchTask(task) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    const trouble = transientErrorMessage(error);
    if (trouble) return { trouble };
    return { refusal: refusalFor(error) };
  }
}

function refusalFor(error: unknown): RefusalName {
  if (error instanceof DicomError) return dicomRefusals[error.reason];
  return error instanceof MeshError ? meshRefusals[error.reason] : "fileBroken";
}

/** Surfaces that are broken in any other way are `fileBroken`. */
const meshRefusals: Record<MeshFault, RefusalName> = {
  empty: "fileBroken",
  noTriangles: "fileBroken",
  truncated: "fileBroken",
  notMesh: "fileBroken",
  badNumbers: "fileBroken",
  unsupportedExtension: "fileUnsupported",
  tooLarge: "fileBomb",
};

async function dispatchTask(task: PixelTask): Promise<PixelResult> {
  if (task.do === "dicomPicture") return convertDicomImage(task.path, task.states, task.out);
  if (task.do === "plainPicture")
    return task.format === "tiff"
      ? convertTiff(task.path, task.out)
      : convertPlainImage(task.path, task.format, task.out);
  if (task.do === "video") return { did: "video", info: readVideo(task.path) };
  if (task.do === "volume") return convertVolume(task, (step: VolumeStep) => parentPort?.postMessage({ step }));
  if (task.do === "model") return convertModel(task, task.out);
  if (task.format === "jpeg" || task.format === "png")
    return { did: "look", picture: await inspectImage(task.path, task.format) };
  if (task.format === "tiff") return { did: "look", picture: await inspectTiff(task.path) };
  if (task.format === "pdf") return isCompletePdf(task.path) ? { did: "look", picture: null } : refuse("fileTruncated");
  if (task.format === "mp4") {
    readVideo(task.path);
    return { did: "look", picture: null };
  }
  if (task.format === "mtl") return { did: "look", picture: null, textures: readTextureNames(readFileSync(task.path)) };
  readMesh(readFileSync(task.path), task.format);
  return { did: "look", picture: null };
}
