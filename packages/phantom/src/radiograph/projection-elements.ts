import type { DicomDataset, DicomElement } from "@arcada/imaging/dicom/write/write-dicom";
import { createCodeItem, formatDecimalString, createPixelElements, type PixelData } from "../phantom-study.ts";

export type Projection = {
  pixels: PixelData;
  /** mm on the detector */
  pixel: number;
  /** Detector size over object size. */
  enlarged: number;
  /** Patient directions of the rows and columns (PS3.3 C.7.6.1.1.1). */
  orientation: readonly [string, string];
  laterality: "R" | "L" | "B" | "U";
  positioner: "PANORAMIC" | "CEPHALOSTAT" | "NONE";
  /** SNOMED CT code and meaning. */
  region: readonly [string, string];
  extra?: DicomDataset;
};

/** Returns the elements that Digital X-Ray and Digital Intra-Oral X-Ray images share (PS3.3 A.26, A.28). */
export function createProjectionElements(projection: Projection): DicomDataset {
  const { pixels, pixel, enlarged, orientation, laterality, positioner, region, extra = [] } = projection;
  const spacing = [formatDecimalString(pixel), formatDecimalString(pixel)];
  const elements: DicomElement[] = [
    [0x00080008, "CS", ["ORIGINAL", "PRIMARY", ""]],
    [0x00080068, "CS", "FOR PRESENTATION"],
    [0x00082218, "SQ", [createCodeItem(region[0], "SCT", region[1])]],
    [0x00180060, "DS", "70"],
    [0x00181114, "DS", formatDecimalString(enlarged)],
    [0x00181150, "IS", "14000"],
    [0x00181151, "IS", "10"],
    [0x00181152, "IS", "140"],
    [0x00181164, "DS", spacing],
    [0x00181508, "CS", positioner],
    [0x00187004, "CS", "DIRECT"],
    [0x00187005, "CS", ""],
    [0x00200012, "IS", ""],
    [0x00200020, "CS", [...orientation]],
    [0x00200062, "CS", laterality],
    [0x00280301, "CS", "NO"],
    [0x00281040, "CS", "LOG"],
    [0x00281041, "SS", -1],
    [0x00281050, "DS", String(2 ** (pixels.bitsStored - 1))],
    [0x00281051, "DS", String(2 ** pixels.bitsStored)],
    [0x00281052, "DS", "0"],
    [0x00281053, "DS", "1"],
    [0x00281054, "LO", "US"],
    [0x00282110, "CS", "00"],
    [0x00400555, "SQ", []],
    [0x20500020, "CS", "IDENTITY"],
  ];
  return [...elements, ...createPixelElements(pixels), ...extra];
}
