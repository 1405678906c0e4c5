import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DicomError } from "../dicom-error.ts";
import { readDicomHeader } from "./dicom-header.ts";
import { decodeFrame } from "../pixels/decode-frame.ts";
import { readDicom } from "./read-dicom.ts";
import { deriveUid, writeDicom } from "../write/write-dicom.ts";

const ct = "1.2.840.10008.5.1.4.1.1.2";
const written = writeDicom(
  [
    [0x00100010, "PN", "Zhang^Wei=张^伟"],
    [0x00100030, "DA", "19840229"],
    [0x00280002, "US", 1],
    [0x00280004, "CS", "MONOCHROME2"],
    [0x00280010, "US", 2],
    [0x00280011, "US", 3],
    [0x00280030, "DS", ["0.3", "0.25"]],
    [0x00280100, "US", 16],
    [0x00280101, "US", 16],
    [0x00280102, "US", 15],
    [0x00280103, "US", 1],
    [0x7fe00010, "OW", new Int16Array([-5, 2, 3, 4, 5, 600])],
  ],
  { sopClassUid: ct, sopInstanceUid: deriveUid("read", 1), charset: "ISO_IR 192" },
);

const reasonOf = (bytes: Uint8Array): string => {
  try {
    readDicom(bytes);
    return "accepted";
  } catch (thrown) {
    return thrown instanceof DicomError ? thrown.reason : `not a DicomError: ${String(thrown)}`;
  }
};

describe("a DICOM file", () => {
  it("is refused if its transfer syntax would break the lines of an answer's head", () => {
    const bytes = Buffer.from(written);
    const at = bytes.indexOf("1.2.840.10008.1.2.1\0");
    bytes.write("1.2.840\r\nX-Y: 1", at, "latin1");
    expect(reasonOf(bytes)).toBe("notDicom");
  });

  it("is read with its patient, shape and spacing", () => {
    const header = readDicomHeader(readDicom(written));
    expect(header).toMatchObject({
      patientNameText: "张伟",
      patientBirthDate: "1984-02-29",
      rows: 2,
      columns: 3,
      frames: 1,
      pixelSpacing: [0.3, 0.25],
      signed: true,
    });
    expect(JSON.parse(JSON.stringify(header))).toEqual(header);
  });

  it("gives its stored values", async () => {
    expect(Array.from((await decodeFrame(readDicom(written), 0)).data)).toEqual([-5, 2, 3, 4, 5, 600]);
  });

  it("is read without its preamble, and without its file meta information", () => {
    const metaEnd = 132 + 12 + new DataView(written.buffer, written.byteOffset).getUint32(140, true);
    expect(readDicomHeader(readDicom(written.subarray(132))).rows).toBe(2);
    expect(readDicomHeader(readDicom(written.subarray(metaEnd))).rows).toBe(2);
  });

  it("never passes for whole when it is cut, wherever that is", () => {
    for (let length = 0; length < written.length; length++) {
      const cut = written.subarray(0, length);
      // A cut between two elements leaves a readable header, but no pixels.
      expect([length, reasonOf(cut) !== "accepted" || !readDicomHeader(readDicom(cut)).hasPixels]).toEqual([
        length,
        true,
      ]);
    }
    expect(reasonOf(written.subarray(0, written.length - 2))).toBe("truncated");
  });

  it("is not a text, another image or an empty file", () => {
    expect(
      reasonOf(new TextEncoder().encode("This is a letter named scan.dcm, long enough to look at. ".repeat(9))),
    ).toBe("notDicom");
    expect(reasonOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0))).toBe(
      "notDicom",
    );
    expect(reasonOf(new Uint8Array())).toBe("notDicom");
  });

  it("without pixels reports noPixels when they are requested", async () => {
    const report = readDicom(
      writeDicom([[0x00080060, "CS", "SR"]], {
        sopClassUid: "1.2.840.10008.5.1.4.1.1.88.11",
        sopInstanceUid: deriveUid("read", 2),
      }),
    );
    await expect(decodeFrame(report, 0)).rejects.toMatchObject({ reason: "noPixels" });
  });
});

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";

describe.skipIf(!existsSync(join(data, "dicom-syntaxes")))("broken and odd real files (ARCADA_TEST_DATA)", () => {
  it.each([
    ["dicom-syntaxes/files/MR_truncated.dcm", "truncated"],
    ["dicom-syntaxes/files/rtplan_truncated.dcm", "truncated"],
    ["dicom-data2/emri_small_jpeg_2k_lossless_too_short.dcm", "accepted"],
    ["dicom-syntaxes/files/image_dfl.dcm", "accepted"],
    ["dicom-syntaxes/dicomdirtests/TINY_ALPHA/README", "notDicom"],
    ["dicom-syntaxes/files/no_meta_group_length.dcm", "accepted"],
    ["dicom-syntaxes/files/ExplVR_LitEndNoMeta.dcm", "accepted"],
    ["dicom-syntaxes/files/badVR.dcm", "accepted"],
    ["dicom-data2/bad_sequence.dcm", "accepted"],
    ["dicom-syntaxes/dicomdirtests/DICOMDIR", "accepted"],
  ])("%s is %s", (path, reason) => {
    expect(reasonOf(readFileSync(join(data, path)))).toBe(reason);
  });
});

describe("compressed pixel data without its last delimiter", () => {
  const coded = (end: "closed" | "open", length: number) => {
    const plain = writeDicom(
      [
        [0x00280002, "US", 1],
        [0x00280004, "CS", "MONOCHROME2"],
        [0x00280010, "US", 2],
        [0x00280011, "US", 2],
        [0x00280100, "US", 8],
        [0x00280101, "US", 8],
        [0x00280102, "US", 7],
        [0x00280103, "US", 0],
      ],
      { sopClassUid: ct, sopInstanceUid: deriveUid("read", 3) },
    );
    // The syntax of the same length in characters and padding: RLE Lossless.
    const at = Buffer.from(plain).indexOf("1.2.840.10008.1.2.1\0", 0, "latin1");
    plain.set(Buffer.from("1.2.840.10008.1.2.5\0", "latin1"), at);
    const header = Buffer.alloc(64);
    header.writeUInt32LE(1, 0);
    header.writeUInt32LE(64, 4);
    const frame = Buffer.concat([header, Buffer.from([3, 9, 8, 7, 6, 0])]);
    const item = (bytes: Buffer) => {
      const head = Buffer.from("feff00e000000000", "hex");
      head.writeUInt32LE(bytes.length, 4);
      return Buffer.concat([head, bytes]);
    };
    const element = Buffer.from("e07f10004f420000ffffffff", "hex");
    const tail = end === "closed" ? Buffer.from("feffdde000000000", "hex") : Buffer.alloc(0);
    const whole = Buffer.concat([plain, element, item(Buffer.alloc(0)), item(frame), tail]);
    return whole.subarray(0, whole.length - length);
  };

  it("is whole where the lengths of its parts reach the end of the file, and truncated where they do not", async () => {
    for (const end of ["closed", "open"] as const)
      expect(Array.from((await decodeFrame(readDicom(coded(end, 0)), 0)).data)).toEqual([9, 8, 7, 6]);
    expect(reasonOf(coded("open", 2))).toBe("truncated");
    expect(reasonOf(coded("open", 70))).toBe("truncated");
  });
});
