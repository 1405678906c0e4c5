import { DicomError } from "../dicom-error.ts";
import type { DicomFile } from "./dicom-file.ts";

/** PS3.6 table A-1: Encapsulated PDF Storage. */
const encapsulatedPdfClass = "1.2.840.10008.5.1.4.1.1.104.1";
const [documentTag, lengthTag] = ["x00420011", "x00420015"];

export const isEncapsulatedPdf = ({ sopClassUid }: { sopClassUid: string }): boolean =>
  sopClassUid === encapsulatedPdfClass;

/**
 * The PDF in a DICOM file, without the byte that makes its length even (PS3.3 C.24.2).
 * @throws DicomError truncated without a document, or where it is none.
 */
export function extractPdf({ dataSet }: DicomFile): Uint8Array {
  const element = dataSet.elements[documentTag];
  if (!element || element.length === 0) throw new DicomError("truncated", "no encapsulated document");
  const stated = dataSet.uint32(lengthTag) ?? element.length;
  const length = stated > 0 && stated <= element.length ? stated : element.length;
  const pdf = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + length);
  const head = new TextDecoder("latin1").decode(pdf.subarray(0, 1024));
  if (!head.includes("%PDF-")) throw new DicomError("unsupported", "the encapsulated document is no PDF");
  return pdf;
}
