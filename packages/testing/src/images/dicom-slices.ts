import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { deriveUid, writeDicom, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/** For tests: the differences from a plain axial CT slice of 3 × 2 pixels of 0.5 × 0.4 mm. */
export interface SliceFixture {
  position: readonly [number, number, number];
  uid?: number;
  orientation?: readonly number[];
  acquisition?: number;
  imageType?: readonly string[];
  sopClass?: string;
  maker?: string;
  intercept?: number;
  signed?: boolean;
  /** `[row][column]`, 6 values. */
  values?: readonly number[];
}

/** A slice written and read again; every one of the same series. */
export function makeSliceFixture(fixture: SliceFixture): DicomFile {
  const number =
    fixture.uid ??
    fixture.position.reduce((sum, value) => sum * 1009 + Math.round(value * 1000), fixture.acquisition ?? 0);
  const dataset: DicomDataset = [
    [0x00080008, "CS", fixture.imageType ?? ["ORIGINAL", "PRIMARY", "AXIAL"]],
    [0x00080060, "CS", "CT"],
    [0x00080070, "LO", fixture.maker ?? "Cone Beam Works"],
    [0x0020000d, "UI", deriveUid("study")],
    [0x0020000e, "UI", deriveUid("series")],
    [0x00200012, "IS", String(fixture.acquisition ?? 1)],
    [0x00200032, "DS", fixture.position.map(String)],
    [0x00200037, "DS", (fixture.orientation ?? [1, 0, 0, 0, 1, 0]).map(String)],
    [0x00280002, "US", 1],
    [0x00280004, "CS", "MONOCHROME2"],
    [0x00280010, "US", 2],
    [0x00280011, "US", 3],
    [0x00280030, "DS", ["0.5", "0.4"]],
    [0x00280100, "US", 16],
    [0x00280101, "US", 16],
    [0x00280102, "US", 15],
    [0x00280103, "US", fixture.signed === false ? 0 : 1],
    [0x00281052, "DS", String(fixture.intercept ?? 0)],
    [0x00281053, "DS", "1"],
    [0x7fe00010, "OW", Uint16Array.from(fixture.values ?? [0, 1, 2, 3, 4, 5], (value) => value & 0xffff)],
  ];
  return readDicom(
    writeDicom(dataset, {
      sopClassUid: fixture.sopClass ?? "1.2.840.10008.5.1.4.1.1.2",
      sopInstanceUid: deriveUid("slice", number),
    }),
  );
}
