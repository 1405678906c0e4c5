import { availableParallelism } from "node:os";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { HeaderTask, ReadHeader } from "./read/dicom-header.worker.ts";
import type { PixelResult, PixelTask } from "./convert/pixel-task-types.ts";
import type { UnzipTask, UnzipResult } from "./archive/unzip.worker.ts";
import { workerPool, type TaskResult, type WorkerPool } from "../platform/runtime/worker-pool.ts";

/** One core remains free for requests. */
export const pixelThreads = Math.max(1, availableParallelism() - 1);

export interface WorkerPools {
  headers: WorkerPool<HeaderTask, TaskResult<ReadHeader>[]>;
  pixels: WorkerPool<PixelTask, PixelResult>;
  archives: WorkerPool<UnzipTask, UnzipResult>;
}

// Pixel buffers hardly count in the heap, which fills slowly: a small young generation is collected often, and the
// buffers with it.
const youngMegabytes = 6;
const memory = {
  maxOldGenerationSizeMb: studyRules.parseMegabytes,
  maxYoungGenerationSizeMb: youngMegabytes,
  maxExternalMb: studyRules.parseMegabytes,
};

let opened: WorkerPools | undefined;

/** The process's threads for untrusted bytes, started on first use. */
export const workerPools = (): WorkerPools =>
  (opened ??= {
    headers: workerPool(new URL("./read/dicom-header.worker.ts", import.meta.url), 2, memory),
    pixels: workerPool(new URL("./convert/pixel.worker.ts", import.meta.url), pixelThreads, {
      ...memory,
      maxOldGenerationSizeMb: 2048,
      maxExternalMb: 2048,
    }),
    archives: workerPool(new URL("./archive/unzip.worker.ts", import.meta.url), 2, memory),
  });

/** A codec or a mesh reader needs at most a minute for 100 MB. */
export const pixelMs = (bytes: number): number => 60_000 + bytes / 2000;
/** The unpacked content is bounded by the bytes of the archive, of which a slow disk reads 1 MB in a second. */
export const unzipMs = (bytes: number): number => 60_000 + bytes / 1000;
