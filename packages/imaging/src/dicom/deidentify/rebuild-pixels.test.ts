import sharp from "sharp";
import { expect, it } from "vitest";
import { joinBytes } from "../../join-bytes.ts";
import { deidentifyDicom } from "./deidentify-dicom.ts";
import { readCodestream } from "../pixels/codestream.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { deriveUid, writeDicom, type DicomDataset } from "../write/write-dicom.ts";

const canary = "Kanarienvogel_";
const name = new TextEncoder().encode(canary);
const defaultOptions = {
  pseudonym: "ORD-7",
  uid: (uid: string) => deriveUid("key", uid),
  dates: "kept",
  device: true,
  descriptions: true,
  known: [],
} as const;
const clean = (bytes: Uint8Array) => deidentifyDicom(bytes, defaultOptions).bytes;
const isNamed = (bytes: Uint8Array) => Buffer.from(bytes).includes("Kanarien");
const image = (pixels: Uint8Array, more: DicomDataset = []): DicomDataset => [
  [0x00080060, "CS", "PX"],
  [0x0020000d, "UI", "1.2.3.4.5"],
  [0x00280002, "US", 1],
  [0x00280004, "CS", "MONOCHROME2"],
  [0x00280010, "US", 4],
  [0x00280011, "US", 4],
  [0x00280100, "US", 8],
  [0x00280101, "US", 8],
  [0x00280102, "US", 7],
  [0x00280103, "US", 0],
  ...more,
  [0x7fe00010, "OB", pixels],
];
const written = (dataset: DicomDataset) =>
  writeDicom(dataset, { sopClassUid: "1.2.840.10008.5.1.4.1.1.7", sopInstanceUid: "1.2.3.4" });
const grey = Uint8Array.from({ length: 16 }, (_, at) => at * 9);

it("removes bytes behind the last pixel, in the element and behind it", () => {
  const tail = written(image(joinBytes([grey, name])));
  const appended = joinBytes([written(image(grey)), Uint8Array.of(0x20, 0, 0, 0x40, 0x4c, 0x54, 14, 0), name]);
  for (const bytes of [tail, appended]) {
    expect(isNamed(bytes)).toBe(true);
    expect(isNamed(clean(bytes))).toBe(false);
    expect(readDicom(clean(bytes)).rawValue("x7fe00010")).toEqual(grey);
  }
});

it("removes binary values that are no numbers of the image", () => {
  const bytes = written(
    image(grey, [
      [0x00189999, "OB", name],
      [0x00282000, "OB", name],
    ]),
  );
  expect(isNamed(bytes)).toBe(true);
  expect(isNamed(clean(bytes))).toBe(false);
});

it("builds the JPEG of a frame anew, with the pixels that it had", async () => {
  const jpeg = await sharp(grey, { raw: { width: 4, height: 4, channels: 1 } })
    .toColourspace("b-w")
    .jpeg()
    .toBuffer();
  const named = joinBytes([
    jpeg.subarray(0, 2),
    Uint8Array.of(0xff, 0xfe, 0, name.length + 2),
    name,
    jpeg.subarray(2),
    name,
  ]);
  const plain = written(image(new Uint8Array(0))).slice(0, -12);
  const syntax = Buffer.from(plain).indexOf("1.2.840.10008.1.2.1\0");
  // The same length: "1.2.840.10008.1.2.1" and its padding, over "1.2.840.10008.1.2.4.50" does not fit.
  const meta = Buffer.from(plain);
  const grown = joinBytes([
    meta.subarray(0, syntax - 2),
    Uint8Array.of(22, 0),
    new TextEncoder().encode("1.2.840.10008.1.2.4.50"),
    meta.subarray(syntax + 20),
  ]);
  new DataView(grown.buffer).setUint32(140, new DataView(grown.buffer).getUint32(140, true) + 2, true);
  const item = (element: number, length: number) =>
    Uint8Array.of(0xfe, 0xff, element & 255, element >> 8, length & 255, length >> 8, 0, 0);
  const body = named.length % 2 === 0 ? named : joinBytes([named, Uint8Array.of(0)]);
  const head = Uint8Array.of(0xe0, 0x7f, 0x10, 0, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff);
  const bytes = joinBytes([grown, head, item(0xe000, 0), item(0xe000, body.length), body, item(0xe0dd, 0)]);
  expect(isNamed(bytes)).toBe(true);
  const cleaned = clean(bytes);
  expect(isNamed(cleaned)).toBe(false);
  const [one, other] = [jpeg, readCodestream(readDicom(cleaned), 0)];
  expect((await sharp(other).raw().toBuffer()).equals(await sharp(one).raw().toBuffer())).toBe(true);
});
