import { randomBytes } from "node:crypto";
import { deriveUid, writeDicom, type DicomElement } from "@arcada/imaging/dicom/write/write-dicom";

export interface Slice {
  study: string;
  series: string;
  uid: string;
  bytes: Uint8Array;
}
const ctImage = "1.2.840.10008.5.1.4.1.1.2";
const intraOral = "1.2.840.10008.5.1.4.1.1.1.3";

/** A CBCT of 16-bit slices: a head's smooth shadows with noise, which is what compresses as real ones do. */
export function createCbct(seed: string, slices: number, side = 512): Slice[] {
  const [study, series] = [deriveUid(seed, "study"), deriveUid(seed, "series")];
  const pixels = noisyImage(side);
  return Array.from({ length: slices }, (_, place) => {
    const uid = deriveUid(seed, place);
    const elements: DicomElement[] = [
      ...patientElements(`BENCH-${seed}`, "Bench^Volume=测试^体积"),
      ...studyElements(study, series, "CT", "20260115"),
      ...pixelElements(side, side, pixels),
      [0x00200013, "IS", String(place + 1)],
      [0x00200032, "DS", ["0", "0", String(place * 0.3)]],
      [0x00200037, "DS", ["1", "0", "0", "0", "1", "0"]],
      [0x00180050, "DS", "0.3"],
      [0x00281052, "DS", "-1000"],
      [0x00281053, "DS", "1"],
    ];
    return { study, series, uid, bytes: writeDicom(elements, { ...fileMeta(ctImage, uid) }) };
  });
}

const surnames = ["Wang=王", "Zhang=张", "Li=李", "Liu=刘", "Chen=陈", "Smith", "Yilmaz", "Garcia", "Petrova", "Khan"];
const given = ["Ming=明", "Fang=芳", "Wei=伟", "Jing=静", "Lei=磊", "Mary", "Omar", "Elena", "Noah", "Aylin"];

/**
 * A small radiograph of one patient. Every second patient has a Chinese name, and the studies are spread over three
 * years.
 */
export function createRadiograph(place: number): Slice {
  const seed = `film ${place}`;
  const [study, series, uid] = [deriveUid(seed, "study"), deriveUid(seed, "series"), deriveUid(seed, "file")];
  const half = place % 2 === 0 ? 0 : 5;
  const [family, familySign] = surnames[((place >> 1) % 5) + half].split("=");
  const [first, firstSign] = given[((place >> 3) % 5) + half].split("=");
  const name = `${family}^${first}${place}${familySign ? `=${familySign}^${firstSign}` : ""}`;
  const day = new Date(Date.UTC(2023, 0, 1 + (place % 1095))).toISOString().slice(0, 10).replaceAll("-", "");
  const elements = [
    ...patientElements(`P${place}`, name),
    ...studyElements(study, series, "IO", day),
    ...pixelElements(64, 48, noisyImage(64).subarray(0, 64 * 48)),
  ];
  return { study, series, uid, bytes: writeDicom(elements, fileMeta(intraOral, uid)) };
}

const fileMeta = (sopClassUid: string, sopInstanceUid: string) =>
  ({ sopClassUid, sopInstanceUid, charset: "ISO_IR 192" }) as const;
const patientElements = (id: string, name: string): DicomElement[] => [
  [0x00100010, "PN", name],
  [0x00100020, "LO", id],
  [0x00100030, "DA", "19900101"],
  [0x00100040, "CS", "O"],
];
const studyElements = (study: string, series: string, modality: string, day: string): DicomElement[] => [
  [0x0020000d, "UI", study],
  [0x0020000e, "UI", series],
  [0x00080060, "CS", modality],
  [0x00080020, "DA", day],
  [0x00080030, "TM", "101500"],
  [0x00081030, "LO", "Dental imaging"],
  [0x00200011, "IS", "1"],
];
const pixelElements = (columns: number, rows: number, pixels: Uint16Array): DicomElement[] => [
  [0x00280002, "US", 1],
  [0x00280004, "CS", "MONOCHROME2"],
  [0x00280010, "US", rows],
  [0x00280011, "US", columns],
  [0x00280030, "DS", ["0.3", "0.3"]],
  [0x00280100, "US", 16],
  [0x00280101, "US", 12],
  [0x00280102, "US", 11],
  [0x00280103, "US", 0],
  [0x7fe00010, "OW", pixels],
];

const imageCache = new Map<number, Uint16Array>();
function noisyImage(side: number): Uint16Array {
  const known = imageCache.get(side);
  if (known) return known;
  const noise = randomBytes(side * side);
  const pixels = Uint16Array.from({ length: side * side }, (_, at) => {
    const [x, y] = [(at % side) / side - 0.5, Math.floor(at / side) / side - 0.5];
    const inside = x * x + y * y < 0.2;
    return (inside ? 1000 + Math.round(400 * Math.sin(x * 20) * Math.cos(y * 14)) : 0) + (noise[at] & 31);
  });
  imageCache.set(side, pixels);
  return pixels;
}
