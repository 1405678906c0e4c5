import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import sharp from "sharp";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createCephPixels, cephSize } from "@arcada/phantom/radiograph/cephalogram";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama, panoramaSize } from "@arcada/phantom/radiograph/panorama";
import { createArchScan, createCrownDesign } from "@arcada/phantom/scan/arch-scan";
import { streamZip } from "../../../apps/server/src/platform/storage/zip-writer.ts";
import { present } from "@arcada/testing/require-present";

/** The files that the dentist uploads, and the results expected from the product. */
export interface TestFiles {
  patient: { name: string; sex: "male" | "female"; birthDate: string };
  panorama: ImageFile;
  ceph: ImageFile;
  /** `card`: which of the CT studies is looked at, newest first. */
  ct: ImageFile & { slices: number; cardIndex: number };
  scans: { files: string[]; names: string[] };
  /** The number of studies from all files. Files that contain nothing viewable are listed separately. */
  studies: number;
  /**
   * The number of studies, all in the CT archive, that name a person other than the patient. The page asks about each.
   */
  foreignStudies: number;
  design: string;
}
interface ImageFile {
  file: string;
  kind: StudyKind;
  /** Row and column spacing in mm, if the file contains it. */
  spacing: number | null;
  /** Texts that the file's header contains about the device or the image. */
  header: string[];
}

/** Generates the files of a synthetic head with known dimensions. */
export async function generateTestFiles(): Promise<TestFiles> {
  const folder = createScratchFolder();
  const writeFile = (name: string, bytes: Uint8Array): string => {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  const head = makeHead("journey");
  const patient = { name: "王小明", sex: "male", birthDate: "1990-01-02" } as const;
  const who = { id: "J-1", name: patient.name, sex: "M", birthDate: "19900102" } as const;
  const size = { columns: 128, rows: 128, slices: 96, voxel: 1.2 };
  const visit = (key: string) => ({ key, description: `Journey ${key}` });
  // Structures in front of the detector appear enlarged on it; the file contains the factor.
  const spacing = panoramaSize.pixel / panoramaSize.enlarged;
  const scans = (["upper", "lower"] as const).map((jaw) =>
    writeFile(`${jaw}.stl`, writeStl(createArchScan(head, jaw))),
  );
  return {
    patient,
    panorama: {
      file: writeFile("panorama.dcm", createPanorama(head, who, visit("panorama")).bytes),
      kind: "panorama",
      spacing,
      header: ["Journey panorama"],
    },
    ceph: {
      file: writeFile("ceph-lateral.jpg", await encodeJpeg(createCephPixels(head))),
      kind: "lateralCeph",
      spacing: null,
      header: [],
    },
    ct: {
      file: await writeZip(path.join(folder, "cbct.zip"), [
        ...createCbctFiles(head, who, { size, study: visit("cbct") }),
      ]),
      kind: "ct",
      spacing: size.voxel,
      slices: size.slices,
      cardIndex: 0,
      header: ["Journey cbct"],
    },
    studies: 4,
    foreignStudies: 0,
    scans: { files: scans, names: scans.map((file) => path.basename(file)) },
    design: writeFile("crown-11.stl", writeStl(present(createCrownDesign(head, 11)))),
  };
}

const data = process.env["ARCADA_TEST_DATA"] ?? path.join(import.meta.dirname, "../../../../shared/data");
const realFiles = {
  panorama: path.join(data, "pano-dicom/pano-CR-ModalityLUT.dcm"),
  ceph: path.join(data, "ceph-bolton/B1893L12.jpg"),
  ct: path.join(data, "ct-skull-phantom"),
  upper: path.join(data, "ios-smartee/derived/case0-upper.stl"),
  lower: path.join(data, "ios-smartee/derived/case0-lower.stl"),
  crown: path.join(data, "ios-smartee/derived/case0-FDI11-ascii.stl"),
  encryptedZip: path.join(data, "zip-encrypted/train-gt.json.zip"),
};
export const findRealFile = (name: keyof typeof realFiles): string | null =>
  existsSync(realFiles[name]) ? realFiles[name] : null;
export const listMissingRealFiles = (): string[] => Object.values(realFiles).filter((file) => !existsSync(file));

export async function readRealTestFiles(): Promise<TestFiles> {
  const folder = createScratchFolder();
  const archive = await writeZip(
    path.join(folder, "ct-skull-phantom.zip"),
    listFiles(realFiles.ct).map((file) => ({ name: path.relative(data, file), bytes: file })),
  );
  const design = path.join(folder, "crown-11.stl");
  writeFileSync(design, writeStl(present(createCrownDesign(makeHead("journey"), 11))));
  return {
    patient: { name: "李大伟", sex: "male", birthDate: "1985-06-07" },
    panorama: {
      file: realFiles.panorama,
      kind: "panorama",
      spacing: 0.15,
      header: ["MODALITYLUT - TEETH"],
    },
    ceph: { file: realFiles.ceph, kind: "lateralCeph", spacing: null, header: [] },
    // Two studies of one phantom; the upright one has 140 slices a millimetre apart.
    ct: { file: archive, kind: "ct", spacing: 1, slices: 140, cardIndex: 1, header: ["Philips"] },
    studies: 5,
    foreignStudies: 2,
    scans: { files: [realFiles.upper, realFiles.lower], names: ["case0-upper.stl", "case0-lower.stl"] },
    design,
  };
}

/** A folder that goes with the process. */
export function createScratchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-journey-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function encodeJpeg(pixels: Uint16Array): Promise<Buffer> {
  const { columns, rows } = cephSize;
  const grey = Uint8Array.from(pixels, (value) => value >> 4);
  return sharp(grey, { raw: { width: columns, height: rows, channels: 1 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Writes an archive of given bytes, which are compressed, and of files at these paths, which are stored. */
export async function writeZip(file: string, entries: { name: string; bytes: Uint8Array | string }[]): Promise<string> {
  const written = entries.map(({ name, bytes }) =>
    typeof bytes === "string"
      ? { path: name, at: new Date(0), bytes: statSync(bytes).size, open: () => createReadStream(bytes) }
      : { path: name, at: new Date(0), bytes: bytes.length, compress: true, open: () => [bytes] },
  );
  await pipeline(streamZip(written), createWriteStream(file));
  return file;
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
    .toSorted();
