import { parentPort, workerData } from "node:worker_threads";
import { cases } from "./cases.ts";
import type { ImageKind } from "./cases.ts";
import { designOf, imagesOf } from "./images.ts";

export type ImageTask = { entry: string; kind: ImageKind } | { entry: string; teeth: number[] };

const task = workerData as ImageTask;
parentPort?.postMessage(
  "teeth" in task
    ? designOf(task.entry, task.teeth)
    : imagesOf(
        cases.find(({ entry }) => entry === task.entry)!,
        task.kind,
      ),
);
