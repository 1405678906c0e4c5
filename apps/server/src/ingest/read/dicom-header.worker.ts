import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { DicomError } from "@arcada/imaging/dicom/dicom-error";
import { readDicomHeader, type DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { dicomRefusals } from "./dicom-refusals.ts";
import { createFileReader } from "./file-reader.ts";
import { lowerThreadPriority } from "../../platform/runtime/thread-priority.ts";
import { transientErrorMessage } from "../transient-error.ts";
import type { TaskResult, WorkerLoaded, TaskFault } from "../../platform/runtime/worker-pool.ts";

/** The data that are read from a DICOM file in one pass. */
export interface ReadHeader {
  header: DicomHeader;
  sha256: string;
}

/**
 * The thread that reads headers of DICOM files: a task is a path. The file is also flushed to the disk, for which
 * nothing waits here.
 */
lowerThreadPriority();
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", (file: string) => parentPort?.postMessage(runTask(file)));

const readFile = createFileReader({ flush: true });

function runTask(path: string): TaskResult<ReadHeader> | TaskFault {
  try {
    const bytes = readFile(path);
    return {
      value: { header: readDicomHeader(readDicom(bytes)), sha256: createHash("sha256").update(bytes).digest("hex") },
    };
  } catch (error) {
    const trouble = transientErrorMessage(error);
    if (trouble) return { trouble };
    return { refusal: error instanceof DicomError ? dicomRefusals[error.reason] : "fileBroken" };
  }
}
