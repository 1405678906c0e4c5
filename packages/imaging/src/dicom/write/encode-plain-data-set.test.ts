import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRleImageFixture } from "@arcada/testing/images/dicom-images";
import { wrapDataSet } from "../parse/preamble.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { decodeFrame } from "../pixels/decode-frame.ts";
import { readPixelShape } from "../pixels/pixel-shape.ts";
import type { DicomFile } from "../parse/dicom-file.ts";
import { encodePlainDataSet } from "./encode-plain-data-set.ts";
import { writeDicom } from "./write-dicom.ts";

const known: Record<string, string> = { "7FE00010": "OW", "00100010": "PN", "00283006": "OW", "00082218": "SQ" };
const lookUpVr = (tag: string): string => known[tag] ?? "UN";
/** The file once more, as a peer would store what it is sent. */
const encode = async (file: DicomFile, explicit: boolean): Promise<DicomFile> =>
  readDicom(wrapDataSet(await encodePlainDataSet(file, { explicit, lookUpVr }), explicit));

async function readFrames(file: DicomFile): Promise<number[][]> {
  const frames: number[][] = [];
  for (let frame = 0; frame < readPixelShape(file).frames; frame++)
    frames.push([...(await decodeFrame(file, frame)).data]);
  return frames;
}

describe.each([
  ["explicit", true],
  ["implicit", false],
])("a data set in %s values", (_, explicit) => {
  it("has the frames of a compressed image, and no trace of its compression", async () => {
    const frames = [
      [0, 1, 2, 3, 4, 5, 6, 65_535],
      [9, 8, 7, 6, 5, 4, 3, 2],
    ];
    const plain = await encode(readDicom(makeRleImageFixture([], "plain", frames)), explicit);
    expect(await readFrames(plain)).toEqual(frames);
    expect(plain.dataSet.elements["x7fe00010"]?.encapsulatedPixelData ?? false).toBe(false);
  });

  it("keeps sequences, private elements and texts, and leaves out file meta information and group lengths", async () => {
    const bytes = writeDicom(
      [
        [0x00080000, "UL", 4],
        [0x00082218, "SQ", [[[0x00080100, "SH", "661005"]], []]],
        [0x00100010, "PN", "Wang^Wei=王^伟"],
        [0x00110010, "LO", "MAKER"],
        [0x00111001, "DS", ["1", "23"]],
      ],
      { sopClassUid: "1.2.840.10008.5.1.4.1.1.88.33", sopInstanceUid: "2.25.4", charset: "ISO_IR 192" },
    );
    const plain = await encode(readDicom(bytes), explicit);
    expect(plain.text("x00100010")).toBe("Wang^Wei=王^伟");
    expect(plain.numbers("x00111001")).toEqual([1, 23]);
    expect(plain.sequence("x00082218").map((item) => item.text("x00080100"))).toEqual(["661005", null]);
    expect(plain.has("x00080000")).toBe(false);
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const sha256 = (frames: readonly number[][]): string => {
  const hash = createHash("sha256");
  for (const frame of frames) hash.update(Float64Array.from(frame));
  return hash.digest("hex");
};

describe.skipIf(!existsSync(join(data, "dicom-data2")))("a data set of a real file (ARCADA_TEST_DATA)", () => {
  it.each([
    "dicom-data2/emri_small_RLE.dcm",
    "dicom-data2/emri_small_big_endian.dcm",
    "dicom-data2/liver_nonbyte_aligned_rle.dcm",
    "dicom-data2/liver_expb.dcm",
    "dicom-data2/liver_deflate.dcm",
    "dicom-data2/HTJ2KLossless_08_RGB.dcm",
    "dicom-data2/JLSL_RGB_ILV0.dcm",
    "dicom-syntaxes/files/MR_small_implicit.dcm",
    "dicom-syntaxes/files/MR_small_jp2klossless.dcm",
    "dicom-syntaxes/files/SC_rgb_small_odd_jpeg.dcm",
    "dicom-syntaxes/files/SC_rgb_small_odd_big_endian.dcm",
    "dicom-syntaxes/files/SC_rgb_rle_32bit_2frame.dcm",
    "dicom-syntaxes/files/SC_ybr_full_422_uncompressed.dcm",
    "dicom-syntaxes/files/JPGExtended.dcm",
    "dicom-syntaxes/files/image_dfl.dcm",
    "dicom-syntaxes/files/rtdose_expb.dcm",
  ])("has the pixels of %s", async (path) => {
    const file = readDicom(readFileSync(join(data, path)));
    const pixels = sha256(await readFrames(file));
    for (const explicit of [true, false]) {
      const plain = await encode(file, explicit);
      expect(sha256(await readFrames(plain))).toBe(pixels);
      expect(Object.keys(plain.dataSet.elements).length).toBeGreaterThan(10);
    }
  });
});
