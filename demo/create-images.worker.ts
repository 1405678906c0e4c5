import { parentPort, workerData } from "node:worker_threads";
import { cases } from "./clinic-patients.ts";
import type { ImageKind } from "./clinic-patients.ts";
import { readOrCreate } from "./image-cache.ts";
import { createDesigns, createImages, createStrayImage } from "./create-images.ts";
import type { NamedBytes } from "./create-images.ts";

export type ImageTask = { entry: string; kind: ImageKind } | { entry: string; teeth: number[] } | { stray: true };

const task = workerData as ImageTask;
parentPort?.postMessage(readOrCreate(task, createTaskImages));

function createTaskImages(): NamedBytes[] {
  if ("stray" in task) return createStrayImage();
  if ("teeth" in task) return createDesigns(task.entry, task.teeth);
  return createImages(
    cases.find(({ entry }) => entry === task.entry)!,
    task.kind,
  );
}
