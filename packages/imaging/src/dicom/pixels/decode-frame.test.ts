import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toRgbFrame } from "./rgb-frame.ts";
import { toGreyFrame } from "./grey-frame.ts";
import { readDicomHeader } from "../parse/dicom-header.ts";
import { decodeFrame } from "./decode-frame.ts";
import { readDicom } from "../parse/read-dicom.ts";

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const open = (path: string) => readDicom(readFileSync(join(data, path)));

async function pixelsOf(path: string): Promise<Uint8Array> {
  const file = open(path);
  const parts: Uint8Array[] = [];
  for (let frame = 0; frame < readDicomHeader(file).frames; frame++) {
    const { data: values } = await decodeFrame(file, frame);
    parts.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }
  return Buffer.concat(parts);
}
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.skipIf(!existsSync(join(data, "pano-dicom")))("pixels of real files (ARCADA_TEST_DATA)", () => {
  // Truth by other people's decoders, of all frames: `dcmdjpeg | dcmdrle | dcmconv +te IN o.dcm`, for JPEG 2000
  // `gdcmconv --raw IN o.dcm`; then `dcmdump +W . o.dcm; sha256sum o.dcm.0.raw` (dcmtk 3.6.7, gdcm 3.0.21).
  const enhancedMr = "9719c5d0f62ce971a1039c9cd73a6785427f4f80a1d3b6969cb9ffc425fba054";
  it.each([
    ["pano-dicom/pano-CR-ModalityLUT.dcm", "cbb20687fdc832cc8aa01f7832f83812df2d41e83d7804d74e0c78b67871285b"],
    ["dicom-data2/emri_small.dcm", enhancedMr],
    ["dicom-data2/emri_small_RLE.dcm", enhancedMr],
    ["dicom-data2/emri_small_big_endian.dcm", enhancedMr],
    ["dicom-data2/emri_small_jpeg_2k_lossless.dcm", enhancedMr],
    ["dicom-data2/emri_small_jpeg_ls_lossless.dcm", enhancedMr],
    ["dicom-data2/RG3_J2KR.dcm", "85480a0287e37795bc96799747a69af475f3bf0c35203fac1010fc6e100821a7"],
  ])("of %s equal those of another decoder", async (path, truth) => {
    expect(sha256(await pixelsOf(path))).toBe(truth);
  });

  it("are the same however the same image was encoded", async () => {
    const plain = sha256(await pixelsOf("dicom-syntaxes/files/MR_small.dcm"));
    for (const other of ["bigendian", "implicit", "RLE", "jp2klossless", "jpeg_ls_lossless"]) {
      expect([other, sha256(await pixelsOf(`dicom-syntaxes/files/MR_small_${other}.dcm`))]).toEqual([other, plain]);
    }
  });

  it("are the same colours from planes, lines, samples, YBR and RLE", async () => {
    const colours = async (path: string) => {
      const file = open(path);
      return sha256(toRgbFrame(file, await decodeFrame(file, 0)).data);
    };
    const plain = await colours("dicom-syntaxes/files/SC_rgb_rle.dcm");
    for (const other of ["SC_rgb_rle_16bit", "SC_rgb_jpeg_gdcm", "SC_rgb_gdcm_KY"]) {
      expect([other, await colours(`dicom-syntaxes/files/${other}.dcm`)]).toEqual([other, plain]);
    }
    expect(await colours("dicom-data2/JLSL_RGB_ILV0.dcm")).toBe(await colours("dicom-data2/JLSL_RGB_ILV2.dcm"));
    expect(await colours("dicom-syntaxes/files/SC_ybr_full_422_uncompressed.dcm")).toBe(
      await colours("dicom-syntaxes/files/SC_rgb_jpeg_dcmtk.dcm"),
    );
  });

  it("apply the modality look-up table before the slope, and derive a window from the values if the file has none", async () => {
    const file = open("pano-dicom/pano-CR-ModalityLUT.dcm");
    const grey = toGreyFrame(file, await decodeFrame(file, 0));
    expect(grey).toMatchObject({ columns: 1976, rows: 1576, min: 0, max: 1023, inverted: true });
    expect(grey.window.center - grey.window.width / 2).toBeGreaterThanOrEqual(0);
    expect(grey.window.width).toBeGreaterThan(300);
    expect(grey.window.width).toBeLessThan(1023);
  });

  it("are decoded twice to the same values, since decoding leaves the file alone", async () => {
    const file = open("dcm4che-img/signed-raw-9bit.dcm");
    const once = (await decodeFrame(file, 0)).data.slice();
    expect((await decodeFrame(file, 0)).data).toEqual(once);
  });

  it.each([
    "pano-dicom/pano-CR-ModalityLUT.dcm",
    "dicom-data2/RG3_J2KR.dcm",
    "dicom-data2/HTJ2KLossless_08_RGB.dcm",
    "dicom-data2/JLSL_16_15_1_1F.dcm",
    "dicom-syntaxes/files/JPGExtended.dcm",
  ])("of %s are refused when the middle of the codestream is missing, and decode again afterwards", async (path) => {
    const whole = readFileSync(join(data, path));
    const file = readDicom(whole);
    const fragment = file.dataSet.elements["x7fe00010"]?.fragments?.[0];
    if (fragment === undefined) throw new Error("no fragment");
    // The end marker stays, so that only the decoder can notice.
    await expect(decodeFrame(readDicom(shortened(whole, fragment)), 0)).rejects.toMatchObject({ reason: "truncated" });
    expect((await decodeFrame(file, 0)).data.some((value) => value !== 0)).toBe(true);
  });
});

/** The file with the second half of its first fragment taken out but for the last bytes, lengths put right. */
function shortened(whole: Uint8Array, fragment: { position: number; length: number }): Uint8Array {
  const keep = Math.trunc(fragment.length / 4) * 2;
  const tail = 8;
  const cut = fragment.length - keep - tail;
  const out = new Uint8Array(whole.length - cut);
  out.set(whole.subarray(0, fragment.position + keep));
  out.set(whole.subarray(fragment.position + fragment.length - tail), fragment.position + keep);
  new DataView(out.buffer).setUint32(fragment.position - 4, keep + tail, true);
  return out;
}
