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

/** Files to read, in this order. `flush`: they are on the disk afterwards. */
export interface HeaderTask {
  paths: string[];
  flush: boolean;
}

/** The thread that reads headers of DICOM files. */
lowerThreadPriority();
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", (task: HeaderTask) => parentPort?.postMessage(runTask(task)));

const readFile = createFileReader();

function runTask({ paths, flush }: HeaderTask): TaskResult<TaskResult<ReadHeader>[]> | TaskFault {
  const read: TaskResult<ReadHeader>[] = [];
  for (const path of paths) {
    const result = readHeader(path, flush);
    if ("trouble" in result) return result;
    read.push(result);
  }
  return { value: read };
}

function readHeader(path: string, flush: boolean): TaskResult<ReadHeader> | TaskFault {
  try {
    const bytes = readFile(path, { flush });
    return {
      value: { header: readDicomHeader(readDicom(bytes)), sha256: createHash("sha256").update(bytes).digest("hex") },
    };
  } catch (error) {
    const trouble = transientErrorMessage(error);
    if (trouble) return { trouble };
    return { refusal: error instanceof DicomError ? dicomRefusals[error.reason] : "fileBroken" };
  }
}
