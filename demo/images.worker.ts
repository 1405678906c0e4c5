import { parentPort, workerData } from "node:worker_threads";
import { cases } from "./cases.ts";
import type { ImageKind } from "./cases.ts";
import { keptOr } from "./images-kept.ts";
import { designOf, imagesOf, strayImage } from "./images.ts";
import type { NamedBytes } from "./images.ts";

export type ImageTask = { entry: string; kind: ImageKind } | { entry: string; teeth: number[] } | { stray: true };

const task = workerData as ImageTask;
parentPort?.postMessage(keptOr(task, made));

function made(): NamedBytes[] {
  if ("stray" in task) return strayImage();
  if ("teeth" in task) return designOf(task.entry, task.teeth);
  return imagesOf(
    cases.find(({ entry }) => entry === task.entry)!,
    task.kind,
  );
}
