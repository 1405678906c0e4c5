import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { DicomError } from "@arcada/imaging/dicom/error";
import { headerOf, type DicomHeader } from "@arcada/imaging/dicom/header";
import { readDicom } from "@arcada/imaging/dicom/read";
import { dicomRefusals } from "./dicom-refusals.ts";
import { fileReader } from "./file-reader.ts";
import { troubleOf } from "./trouble.ts";
import type { Answer, Loaded, Trouble } from "../platform/runtime/worker-pool.ts";

/** The data that are read from a DICOM file in one pass. */
export interface ReadHeader {
  header: DicomHeader;
  sha256: string;
}

/**
 * The thread that reads headers of DICOM files: a task is a path. The file is also flushed to the disk, for which
 * nothing waits here.
 */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", (file: string) => parentPort?.postMessage(answer(file)));

const read = fileReader({ flush: true });

function answer(path: string): Answer<ReadHeader> | Trouble {
  try {
    const bytes = read(path);
    return { value: { header: headerOf(readDicom(bytes)), sha256: createHash("sha256").update(bytes).digest("hex") } };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble) return { trouble };
    return { refusal: error instanceof DicomError ? dicomRefusals[error.reason] : "fileBroken" };
  }
}
