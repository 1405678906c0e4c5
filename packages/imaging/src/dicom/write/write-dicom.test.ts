import dicomParser from "dicom-parser";
import { describe, expect, it } from "vitest";
import { deriveUid, writeDicom } from "./write-dicom.ts";

const file = {
  sopClassUid: "1.2.840.10008.5.1.4.1.1.2",
  sopInstanceUid: deriveUid("a", 1),
  charset: "ISO_IR 192",
} as const;

describe("a written DICOM file", () => {
  const bytes = writeDicom(
    [
      [0x7fe00010, "OW", new Int16Array([-1, 2, 3])],
      [0x00100010, "PN", "Zhang^Wei=张^伟"],
      [0x00281050, "DS", ["1", "23"]],
      [0x00280010, "US", 258],
      [0x00100030, "DA", null],
      [0x00082218, "SQ", [[[0x00080100, "SH", "661005"]], []]],
    ],
    file,
  );
  const read = dicomParser.parseDicom(bytes);

  it("is read back by an independent parser", () => {
    expect(read.string("x00020010")).toBe("1.2.840.10008.1.2.1");
    expect(read.string("x00080018")).toBe(file.sopInstanceUid);
    expect(read.uint16("x00280010")).toBe(258);
    expect(read.floatString("x00281050", 1)).toBe(23);
    expect(read.elements["x00100030"]?.length).toBe(0);
    expect(read.elements["x00082218"]?.items?.[0]?.dataSet?.string("x00080100")).toBe("661005");
    expect(read.int16("x7fe00010", 0)).toBe(-1);
  });

  it("keeps a Chinese name as UTF-8 and declares it", () => {
    const name = read.elements["x00100010"];
    const text = new TextDecoder().decode(bytes.subarray(name.dataOffset, name.dataOffset + name.length));
    expect(text.trimEnd()).toBe("Zhang^Wei=张^伟");
    expect(read.string("x00080005")).toBe("ISO_IR 192");
  });

  it("pads every value to an even length", () => {
    for (const element of Object.values(read.elements)) expect(element.length % 2).toBe(0);
  });

  it("refuses a Chinese name without a character set", () => {
    expect(() => writeDicom([[0x00100010, "PN", "张^伟"]], { ...file, charset: undefined })).toThrow(RangeError);
  });
});

describe("a UID from a key", () => {
  it("is the same each time, differs for each key, and is valid", () => {
    const uids = new Set<string>();
    for (let i = 0; i < 20_000; i++) uids.add(deriveUid("study", i));
    expect(uids.size).toBe(20_000);
    expect(deriveUid("study", 7)).toBe(deriveUid("study", 7));
    expect(deriveUid("ab", "c")).not.toBe(deriveUid("a", "bc"));
    for (const uid of uids) expect(uid).toMatch(/^2\.25\.[1-9]\d{20,38}$/);
  });
});
