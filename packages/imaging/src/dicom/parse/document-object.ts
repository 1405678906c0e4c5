import { DicomError } from "../dicom-error.ts";
import type { DicomFile } from "./dicom-file.ts";
import type { DicomHeader } from "./dicom-header.ts";

/** PS3.6 table A-1: Encapsulated PDF Storage and Encapsulated STL Storage. */
const [pdfClass, stlClass] = ["1.2.840.10008.5.1.4.1.1.104.1", "1.2.840.10008.5.1.4.1.1.104.3"];
const [documentTag, lengthTag] = ["x00420011", "x00420015"];

export const isEncapsulatedPdf = ({ sopClassUid }: { sopClassUid: string }): boolean => sopClassUid === pdfClass;
export const isEncapsulatedStl = ({ sopClassUid }: { sopClassUid: string }): boolean => sopClassUid === stlClass;

/**
 * Storage classes without pixels (PS3.6 table A-1), by the beginning of their UID: waveforms (9), presentation states
 * (11), raw data, registrations, fiducials and surfaces (66), real world values (67), measurements of the eye (78),
 * structured reports (88), encapsulated documents (104), radiotherapy plans and structures (481), and others like them.
 */
const pixellessClass = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(9|11|66|67|78|79|80|88|90|104|131|200|481)(\.|$)/;
/** Images among them: segmentations and label maps (66), radiotherapy images and doses (481). */
const imageClass = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(66\.[47]|481\.[12])$/;

/**
 * True for an object that is kept as a document: its class has no pixels. An image without pixels is broken instead,
 * and a presentation state that is read changes how its images are displayed.
 */
export const isDocumentObject = ({
  sopClassUid,
  hasPixels,
  presentation,
}: Pick<DicomHeader, "sopClassUid" | "hasPixels" | "presentation">): boolean =>
  !hasPixels && !presentation && pixellessClass.test(sopClassUid) && !imageClass.test(sopClassUid);

/**
 * The document in a DICOM file, without the byte that makes its length even (PS3.3 C.24.2).
 * @throws DicomError truncated without a document, unsupported where it is none of this kind.
 */
export function extractDocument({ dataSet }: DicomFile, kind: "pdf" | "stl"): Uint8Array {
  const element = dataSet.elements[documentTag];
  if (!element || element.length === 0) throw new DicomError("truncated", "no encapsulated document");
  const stated = dataSet.uint32(lengthTag) ?? element.length;
  const length = stated > 0 && stated <= element.length ? stated : element.length;
  const document = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + length);
  const head = new TextDecoder("latin1").decode(document.subarray(0, 1024));
  if (kind === "pdf" && !head.includes("%PDF-"))
    throw new DicomError("unsupported", "the encapsulated document is no PDF");
  // A binary STL has a header of 80 bytes and a count of triangles of 50 bytes each.
  if (kind === "stl" && length < 84) throw new DicomError("unsupported", "the encapsulated document is no STL");
  return document;
}
