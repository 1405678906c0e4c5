import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { DicomError } from "@arcada/imaging/dicom/error";
import { headerOf, type DicomHeader } from "@arcada/imaging/dicom/header";
import { readDicom } from "@arcada/imaging/dicom/read";
import { dicomRefusals } from "./dicom-refusals.ts";
import type { Answer, Loaded } from "./worker-pool.ts";

/** The thread that reads headers of DICOM files: a task is a path, its value the header. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", (file: string) => parentPort?.postMessage(answer(file)));

function answer(file: string): Answer<DicomHeader> {
  try {
    return { value: headerOf(readDicom(readFileSync(file))) };
  } catch (error) {
    return { refusal: error instanceof DicomError ? dicomRefusals[error.reason] : "fileBroken" };
  }
}
