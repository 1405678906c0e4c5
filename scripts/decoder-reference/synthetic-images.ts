import { deriveUid, writeDicom, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";

const [columns, rows] = [256, 64];

/**
 * Creates small images for cases that no file of the collections covers: VOI functions, fractional slopes, overlays off
 * the edges.
 */
export function createSyntheticImages(): { name: string; bytes: Uint8Array }[] {
  const window = (center: string, width: string, shape?: string): DicomDataset => [
    [0x00281050, "DS", center],
    [0x00281051, "DS", width],
    ...(shape ? [[0x00281056, "CS", shape] as const] : []),
  ];
  const slope = (value: string, intercept: string): DicomDataset => [
    [0x00281052, "DS", intercept],
    [0x00281053, "DS", value],
  ];
  const table: DicomDataset = [
    [0x00283002, "US", [1000, 500, 12]],
    [0x00283006, "US", Array.from({ length: 1000 }, (_, at) => Math.round(4095 * Math.sqrt(at / 999)))],
  ];
  const variants: Record<string, DicomDataset> = {
    "linear.dcm": window("2000", "1500"),
    "linear-of-one.dcm": window("2000", "1"),
    "exact.dcm": window("2000", "1500", "LINEAR_EXACT"),
    "sigmoid.dcm": window("2000", "1500", "SIGMOID"),
    "table.dcm": [[0x00283010, "SQ", [table]]],
    "inverted.dcm": [[0x00280004, "CS", "MONOCHROME1"], ...window("2000", "1500")],
    "slope-of-a-half.dcm": [...slope("0.5", "-1000"), ...window("0", "900")],
    "slope-of-a-thousandth.dcm": [...slope("0.001", "0.25"), ...window("2.5", "3")],
    "slope-below-none.dcm": [...slope("-2", "100"), ...window("-4000", "3000")],
    "overlay-off-the-edge.dcm": [...window("2000", "4000"), ...overlayElements(40, 60, -9, 220)],
  };
  return Object.entries(variants).map(([name, change]) => ({ name, bytes: createImage(name, change) }));
}

/** A frame of 1 bits; origin as row and column counted from 1. */
function overlayElements(high: number, wide: number, row: number, column: number): DicomDataset {
  const words = new Uint16Array(Math.ceil((high * wide) / 16));
  for (let at = 0; at < high * wide; at++)
    if ((Math.floor(at / wide) + (at % wide)) % 5 === 0) words[at >> 4]! |= 1 << (at & 15);
  return [
    [0x60000010, "US", high],
    [0x60000011, "US", wide],
    [0x60000040, "CS", "G"],
    [0x60000050, "SS", [row, column]],
    [0x60000100, "US", 1],
    [0x60000102, "US", 0],
    [0x60003000, "OW", words],
  ];
}

function createImage(name: string, change: DicomDataset): Uint8Array {
  const changed = new Set(change.map(([tag]) => tag));
  const plain: DicomDataset = [
    [0x00280002, "US", 1],
    [0x00280004, "CS", "MONOCHROME2"],
    [0x00280010, "US", rows],
    [0x00280011, "US", columns],
    [0x00280100, "US", 16],
    [0x00280101, "US", 12],
    [0x00280102, "US", 11],
    [0x00280103, "US", 0],
    [0x7fe00010, "OW", Uint16Array.from({ length: columns * rows }, (_, at) => (at * 7) % 4096)],
  ];
  return writeDicom([...plain.filter(([tag]) => !changed.has(tag)), ...change], {
    sopClassUid: "1.2.840.10008.5.1.4.1.1.7",
    sopInstanceUid: deriveUid("made picture", name),
  });
}
