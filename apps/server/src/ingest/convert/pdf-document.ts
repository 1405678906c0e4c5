import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { extractDocument, isEncapsulatedPdf, isEncapsulatedStl } from "@arcada/imaging/dicom/parse/document-object";
import type { DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { writeFile } from "./write-image-files.ts";
import type { PixelResult } from "./pixel-task-types.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/** The PDF or STL out of a DICOM file, byte for byte. Any other document stays in its file, which people download. */
export function convertDocument(file: DicomFile, header: DicomHeader, out: string): PixelResult {
  const [kind, type] = isEncapsulatedPdf(header)
    ? (["pdf", "application/pdf"] as const)
    : isEncapsulatedStl(header)
      ? (["stl", "model/stl"] as const)
      : [null, ""];
  return { did: "document", file: kind && writeFile(out, "document", extractDocument(file, kind), type) };
}

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
