import { joinBytes } from "@arcada/imaging/join-bytes";
import { decodeFrame } from "@arcada/imaging/dicom/pixels/decode-frame";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { deriveUid, writeDicom, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/** For tests: a grey image of 4 × 2 pixels of 16 bits with the values 0, 100, 200 …, and the given changes. */
export function makeImageFixture(
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
  return readDicom(writeDicom(dataset, { sopClassUid, sopInstanceUid: deriveUid("made", name) }));
}

/**
 * For tests: such an image with these frames of eight values, coded in RLE (PS3.5 A.4.2, annex G) without one
 * repetition.
 */
export function makeRleImageFixture(
  change: DicomDataset,
  name: string,
  frames: readonly (readonly number[])[],
): Uint8Array {
  const count: DicomDataset = [
    [0x00280008, "IS", String(frames.length)],
    [0x7fe00010, "OW", null],
  ];
  const { bytes } = makeImageFixture([...count, ...change], name);
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 600));
  const syntax = text.indexOf("1.2.840.10008.1.2.1\0");
  const coded = bytes.slice();
  coded[syntax + 18] = "5".charCodeAt(0);
  const fragments = frames.flatMap((frame) => [encodeItemHeader(0xe000, 64 + 2 * 10), encodeRle(frame)]);
  const head = Uint8Array.of(0xe0, 0x7f, 0x10, 0, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff);
  return joinBytes([coded, head, encodeItemHeader(0xe000, 0), ...fragments, encodeItemHeader(0xe0dd, 0)]);
}

function encodeItemHeader(element: number, length: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint16(0, 0xfffe, true);
  view.setUint16(2, element, true);
  view.setUint32(4, length, true);
  return new Uint8Array(view.buffer);
}

/** High bytes, then low ones: a segment of eight literal bytes and one to fill up each. */
function encodeRle(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(64 + 2 * 10));
  [2, 64, 74].forEach((value, at) => view.setUint32(at * 4, value, true));
  for (const [segment, shift] of [8, 0].entries()) {
    view.setUint8(64 + segment * 10, 7);
    values.forEach((value, at) => view.setUint8(65 + segment * 10 + at, (value >> shift) & 255));
    view.setUint8(73 + segment * 10, 128);
  }
  return new Uint8Array(view.buffer);
}

/** For tests: the first frame's values as they are decoded, else why they cannot be. */
export const decodeFirstFrame = (file: DicomFile): Promise<unknown> =>
  decodeFrame(file, 0).then(
    ({ data }) => data,
    (error: Error) => error.message,
  );
