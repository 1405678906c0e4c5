import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { extractPdf } from "@arcada/imaging/dicom/parse/encapsulated-pdf";
import { writeFile } from "./write-image-files.ts";
import type { PixelResult } from "./pixel-task-types.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/** The PDF out of a DICOM file, byte for byte. */
export const extractDocument = (file: DicomFile, out: string): PixelResult => ({
  did: "document",
  file: writeFile(out, "document", extractPdf(file), "application/pdf"),
});

// Readers accept the end mark within the last kilobyte; some programs write more after it.
const tailBytes = 16 * 1024;

/**
 * Returns true if a PDF is complete to its end (ISO 32000-1, 7.5.5). Nothing else of it is read here: its readers are
 * other programs.
 */
export function isCompletePdf(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(tailBytes, size));
    readSync(file, tail, 0, tail.length, size - tail.length);
    return tail.includes("%%EOF");
  } finally {
    closeSync(file);
  }
}
