import { DicomError } from "../dicom-error.ts";
import type { DicomFile } from "./dicom-file.ts";
import type { DicomHeader } from "./dicom-header.ts";

/** PS3.6 table A-1: Encapsulated PDF, STL and OBJ Storage. Encapsulated MTL (104.5) has no surface of its own. */
const pdfClass = "1.2.840.10008.5.1.4.1.1.104.1";
const modelClasses: Readonly<Record<string, "stl" | "obj">> = {
  "1.2.840.10008.5.1.4.1.1.104.3": "stl",
  "1.2.840.10008.5.1.4.1.1.104.4": "obj",
};
const [documentTag, lengthTag] = ["x00420011", "x00420015"];

export const isEncapsulatedPdf = ({ sopClassUid }: { sopClassUid: string }): boolean => sopClassUid === pdfClass;
/** The format of the surface that a DICOM object of this class contains; null for any other class. */
export const encapsulatedModelFormat = ({ sopClassUid }: { sopClassUid: string }): "stl" | "obj" | null =>
  modelClasses[sopClassUid] ?? null;

/**
 * mm of one unit of the surface in a DICOM file: (0040,08EA), which must name the unit (PS3.3 C.35.1); mm without it.
 * @throws DicomError unsupported for a unit that is no length
 */
export function encapsulatedModelScale(file: DicomFile): number {
  const unit = file.sequence("x004008ea")[0]?.text("x00080100");
  if (!unit) return 1;
  const scale = millimetres[unit];
  if (scale === undefined) throw new DicomError("unsupported", "the unit of the model is no length");
  return scale;
}

/** Units of UCUM. */
const millimetres: Readonly<Record<string, number>> = {
  um: 0.001,
  mm: 1,
  cm: 10,
  m: 1000,
  "[in_i]": 25.4,
  "[ft_i]": 304.8,
};

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

/** PS3.6 table A-1: Segmentation Storage, whose frames are masks of another series and no images to look at. */
export const isSegmentation = ({ sopClassUid }: { sopClassUid: string }): boolean =>
  sopClassUid === "1.2.840.10008.5.1.4.1.1.66.4";

/**
 * The document in a DICOM file, without the byte that makes its length even (PS3.3 C.24.2).
 * @throws DicomError truncated without a document, unsupported where it is none of this kind.
 */
export function extractDocument({ dataSet }: DicomFile, kind: "pdf" | "stl" | "obj"): Uint8Array {
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
