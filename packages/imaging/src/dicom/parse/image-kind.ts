import type { DicomHeader } from "./dicom-header.ts";

export const imageKinds = ["panorama", "lateralCeph", "dentalFilm", "xRay", "ct", "photo"] as const;
export type ImageKind = (typeof imageKinds)[number];

/** `certain` is false for a guess, which is shown as one and can be changed. */
export interface KindGuess {
  kind: ImageKind;
  isCertain: boolean;
}

type HeaderTraits = Pick<
  DicomHeader,
  | "sopClassUid"
  | "modality"
  | "bodyPart"
  | "anatomicRegion"
  | "viewPosition"
  | "imageType"
  | "studyDescription"
  | "seriesDescription"
  | "protocolName"
  | "rows"
  | "columns"
  | "frames"
  | "samplesPerPixel"
  | "pixelSpacing"
  | "imagerPixelSpacing"
  | "imageOrientation"
>;

/**
 * Determines the kind of dental image in a DICOM file: by SOP class and modality, then by its texts, then by its size.
 * Source of the classes: PS3.6 table A-1; of the modalities: PS3.3 C.7.3.1.1.1.
 */
export function guessImageKind(header: HeaderTraits): KindGuess {
  const bySource = kindBySource(header);
  if (bySource) return { kind: bySource, isCertain: true };
  if (header.samplesPerPixel === 3) return { kind: "photo", isCertain: false };
  const words = kindByText(joinTexts(header));
  if (words) return { kind: words, isCertain: false };
  return { kind: isProjection(header) ? guessKindBySize(header) : "xRay", isCertain: false };
}

const storageClassPrefix = "1.2.840.10008.5.1.4.1.1.";

function kindBySource({ sopClassUid, modality }: HeaderTraits): ImageKind | null {
  const sop = sopClassUid.startsWith(storageClassPrefix) ? sopClassUid.slice(storageClassPrefix.length) : "";
  // CT, Enhanced CT, Legacy Converted CT, X-Ray 3D Craniofacial (cone beam).
  if (["2", "2.1", "2.2", "13.1.2"].includes(sop) || modality === "CT") return "ct";
  if (modality === "PX") return "panorama";
  // Digital Intra-Oral X-Ray, for presentation and for processing.
  if (sop === "1.3" || sop === "1.3.1" || modality === "IO") return "dentalFilm";
  // Visible light: photographic, endoscopic, microscopic.
  if (sop.startsWith("77.1.") || ["XC", "ES", "GM", "SM", "OP"].includes(modality)) return "photo";
  return null;
}

/** Computed and Digital X-Ray, Digital Intra-Oral X-Ray, VL Photographic (PS3.6 table A-1), also for processing. */
const singleImageClasses: readonly string[] = ["1", "1.1", "1.1.1", "1.3", "1.3.1", "77.1.4"];

/**
 * Returns true for an object that is an image by itself: by its class, and because it states no position in space. Volumes
 * are also made of Computed or Digital X-Ray objects that have positions (see `groupSeries`).
 */
export const isSingleImage = ({ sopClass, hasPosition }: { sopClass: string; hasPosition: boolean }): boolean =>
  !hasPosition &&
  sopClass.startsWith(storageClassPrefix) &&
  singleImageClasses.includes(sopClass.slice(storageClassPrefix.length));

/** The texts in which devices and people describe the exposure. */
const joinTexts = (header: HeaderTraits): string =>
  [
    header.seriesDescription,
    header.protocolName,
    header.studyDescription,
    header.viewPosition,
    header.bodyPart,
    header.anatomicRegion,
    ...header.imageType,
  ]
    .join(" | ")
    .toUpperCase();

/** In this order: "CEPH PAN" is a device's name for its cephalostat as often as for its panorama unit. */
const kindPatterns: readonly (readonly [ImageKind, RegExp])[] = [
  ["dentalFilm", /BITE ?-?WING|PERIAPICAL|INTRA ?-?ORAL|\bIOPA\b|根尖|咬翼|牙片|小牙片/],
  ["xRay", /\b(WRIST|HAND|CARPUS|CHEST|SPINE|KNEE|TMJ)\b|手腕|腕骨|颞下颌|\b(PA|FRONTAL|POSTERO-?ANTERIOR) ?CEPH|正位/],
  ["panorama", /PANORAM|ORTHOPANT|ORTOPANT|\b(OPG|OPT|DPT|PANO|PAN)\b|全景|曲面/],
  ["lateralCeph", /CEPH|CEFAL|TELERADIOGR|LATERAL ?SKULL|头影|头颅侧位|侧位/],
];

const kindByText = (words: string): ImageKind | null =>
  kindPatterns.find(([, pattern]) => pattern.test(words))?.[0] ?? null;

const isProjection = ({ modality, frames, imageOrientation }: HeaderTraits): boolean =>
  frames === 1 && imageOrientation === null && ["", "CR", "DX", "RG", "XR", "OT", "SC"].includes(modality);

/**
 * Guess by size alone. Panorama plates are about 300 × 150 mm and wider than high; cephalograms about 180 × 240 to
 * 300 × 240 mm; intra-oral sensors at most 57 × 76 mm (the occlusal size 4).
 */
function guessKindBySize(header: HeaderTraits): ImageKind {
  const spacing = header.imagerPixelSpacing ?? header.pixelSpacing;
  const aspectRatio = header.columns / header.rows;
  const teeth = /TEETH|TOOTH|DENT|MAXILLA|MANDIB|JAW|牙|颌/.test(joinTexts(header));
  if (spacing === null) return guessPlainImageKind({ width: header.columns, height: header.rows, colour: false }).kind;
  const [height, width] = [header.rows * spacing[0], header.columns * spacing[1]];
  if (Math.max(width, height) <= 80) return "dentalFilm";
  // A panorama on a general plate keeps the plate's shape: teeth are named, and the plate is wider than high.
  if (width >= 200 && (aspectRatio >= 1.6 || (teeth && aspectRatio >= 1.15))) return "panorama";
  if (/SKULL|HEAD|FACE/.test(joinTexts(header)) && Math.min(width, height) >= 150) return "lateralCeph";
  return "xRay";
}

/** An image without a DICOM header. `mmPerPixel` if the file's own resolution can be trusted. */
export interface PlainImage {
  width: number;
  height: number;
  mmPerPixel?: number;
  colour: boolean;
}

/** Guess for a JPEG or PNG: never certain. */
export function guessPlainImageKind(image: PlainImage): KindGuess {
  if (image.colour) return { kind: "photo", isCertain: false };
  const aspectRatio = image.width / image.height;
  const isIntraoral = hasIntraoralSize(image);
  if (aspectRatio >= 1.6 && !isIntraoral) return { kind: "panorama", isCertain: false };
  return { kind: isIntraoral ? "dentalFilm" : "lateralCeph", isCertain: false };
}

/**
 * By millimetres where they are known, else by pixels and shape. Sensors and plates of sizes 0 to 2 and 4 measure 22 × 35,
 * 24 × 40, 31 × 41 and 57 × 76 mm (ISO 3665), 0.6 to 0.77 across the longer side. Plates of 8 × 10 inches and of
 * 24 × 30 cm are 0.8, panoramas twice as wide as high: programs export both at a half or a quarter of their size.
 */
function hasIntraoralSize({ width, height, mmPerPixel }: PlainImage): boolean {
  const longest = Math.max(width, height);
  if (mmPerPixel !== undefined) return longest * mmPerPixel <= 80;
  const aspectRatio = width / height;
  const isCephShape = aspectRatio >= 0.785 && aspectRatio <= 1.15 && longest >= 600;
  const isPanoramaShape = aspectRatio >= 1.8 && longest >= 1000;
  return longest < maxIntraoralPixels && !isCephShape && !isPanoramaShape;
}

/** Intra-oral sensors have up to about 1,700 × 2,400 pixels of 20 µm but are stored at half of that. */
const maxIntraoralPixels = 1700;
