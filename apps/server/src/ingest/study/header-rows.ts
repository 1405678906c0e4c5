import type { DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import type { Study } from "@arcada/contract/study/study.schema";
import { guessedName } from "../../tables/study-columns.ts";

/**
 * Returns the rows that a viewer shows next to an image, by DICOM keyword (PS3.6). They do not name the patient;
 * `guessedName` is not a keyword and only indicates that the name is not in the character set that the file declares.
 */
export function buildHeaderRows(header: DicomHeader): Study["header"] {
  const rows: [string, string | number | number[] | null][] = [
    [guessedName, header.patientNameGuessed ? 1 : null],
    ["Modality", header.modality],
    ["Manufacturer", header.manufacturer],
    ["ManufacturerModelName", header.model],
    ["StationName", header.stationName],
    ["InstitutionName", header.institutionName],
    ["StudyDate", header.studyDate],
    ["StudyTime", header.studyTime],
    ["StudyDescription", header.studyDescription],
    ["SeriesDescription", header.seriesDescription],
    ["ProtocolName", header.protocolName],
    ["BodyPartExamined", header.bodyPart],
    ["Laterality", header.laterality],
    ["ViewPosition", header.viewPosition],
    ["Rows", header.rows],
    ["Columns", header.columns],
    ["NumberOfFrames", header.frames > 1 ? header.frames : null],
    ["BitsStored", header.bitsStored],
    ["PhotometricInterpretation", header.photometric],
    ["PixelSpacing", header.pixelSpacing],
    ["ImagerPixelSpacing", header.imagerPixelSpacing],
    ["EstimatedRadiographicMagnificationFactor", header.magnification],
    ["SliceThickness", header.sliceThickness],
    ["GantryDetectorTilt", header.gantryTilt],
    ["KVP", header.kvp],
    ["XRayTubeCurrent", header.tubeCurrent],
    ["ExposureTime", header.exposureTime],
    ["Exposure", header.exposure],
    ["TransferSyntaxUID", header.transferSyntaxUid],
    ["LossyImageCompression", header.lossy ? "01" : "00"],
  ];
  return rows.flatMap(([key, value]) =>
    value === null || value === "" ? [] : [{ key, value: Array.isArray(value) ? value.join(" \\ ") : String(value) }],
  );
}
