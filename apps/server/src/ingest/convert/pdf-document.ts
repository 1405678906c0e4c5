import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { deidentifyMesh } from "@arcada/imaging/deidentify/deidentify-mesh";
import {
  encapsulatedModelFormat,
  encapsulatedModelScale,
  extractDocument,
  isEncapsulatedPdf,
} from "@arcada/imaging/dicom/parse/document-object";
import type { Mesh } from "@arcada/imaging/mesh/mesh";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { convertModel } from "./convert-model.ts";
import type { DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { writeFile } from "./write-image-files.ts";
import type { PixelResult } from "./pixel-task-types.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/**
 * The PDF out of a DICOM file, byte for byte; of a surface also what the viewer needs. Any other document stays in its
 * file, which people download.
 */
export async function convertDocument(file: DicomFile, header: DicomHeader, out: string): Promise<PixelResult> {
  const format = encapsulatedModelFormat(header);
  if (format) return convertEncapsulatedModel(file, format, out);
  const pdf = isEncapsulatedPdf(header) ? extractDocument(file, "pdf") : null;
  return { did: "document", file: pdf && writeFile(out, "document", pdf, "application/pdf") };
}

async function convertEncapsulatedModel(file: DicomFile, format: "stl" | "obj", out: string): Promise<PixelResult> {
  const content = extractDocument(file, format);
  const document = writeFile(out, "document", content, `model/${format}`);
  const scale = encapsulatedModelScale(file);
  // Rebuilt: the header of an STL and the comments of an OBJ may name the patient.
  const surface =
    scale === 1
      ? { format, bytes: deidentifyMesh(content, format) }
      : { format: "stl" as const, bytes: writeStl(scaleMesh(readMesh(content, format), scale), "") };
  const stored = writeFile(out, "surface", surface.bytes, `model/${surface.format}`);
  const converted = await convertModel({ path: stored.path, format: surface.format, jaw: null, materials: [] }, out);
  return { ...converted, encapsulated: { document, surface: stored } };
}

const scaleMesh = (mesh: Mesh, scale: number): Mesh => ({
  ...mesh,
  positions: mesh.positions.map((value) => value * scale),
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
