import { readDicom, type DicomFile } from "./read.ts";
import { uidFrom, writeDicom, type DicomDataset } from "./write.ts";

/** For tests: a grey picture of 4 × 2 pixels of 16 bits that hold 0, 100, 200 …, with what differs from that. */
export function madePicture(
  change: DicomDataset,
  name = "picture",
  sopClassUid = "1.2.840.10008.5.1.4.1.1.7",
): DicomFile {
  const changed = new Set(change.map(([tag]) => tag));
  const plain: DicomDataset = [
    [0x00280002, "US", 1],
    [0x00280004, "CS", "MONOCHROME2"],
    [0x00280010, "US", 2],
    [0x00280011, "US", 4],
    [0x00280100, "US", 16],
    [0x00280101, "US", 16],
    [0x00280102, "US", 15],
    [0x00280103, "US", 0],
    [0x7fe00010, "OW", Uint16Array.of(0, 100, 200, 300, 400, 500, 600, 700)],
  ];
  const dataset = [...plain.filter(([tag]) => !changed.has(tag)), ...change].filter(([, , value]) => value !== null);
  return readDicom(writeDicom(dataset, { sopClassUid, sopInstanceUid: uidFrom("made", name) }));
}
