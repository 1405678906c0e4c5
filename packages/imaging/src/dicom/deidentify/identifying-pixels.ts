import type { DicomItem } from "../parse/dicom-item.ts";
import { tags } from "../parse/tags.ts";

/** Reasons for which the pixels of an image may name or show the patient. */
export const burntInKinds = ["said", "capture", "ultrasound", "document", "overlay", "face"] as const;
export type BurntInReason = (typeof burntInKinds)[number];

/** The input of the guess; texts as the file has them. */
export interface BurntInTraits {
  sopClass: string;
  modality: string;
  imageType: readonly string[];
  /** Burned In Annotation (0028,0301) and Recognizable Visual Features (0028,0302). */
  annotation: string;
  features: string;
  /** The bit of the pixels that holds an overlay; null if there is none. */
  overlayBit: number | null;
}

/**
 * Returns reasons to expect text or a face in the pixels. A device that states that there is no text is trusted (PS3.3
 * C.7.6.1.1.7).
 */
export function classifyBurntIn(traits: BurntInTraits): BurntInReason[] {
  const { sopClass, modality, annotation, features, overlayBit } = traits;
  const sop = sopClass.startsWith(storageClassPrefix) ? sopClass.slice(storageClassPrefix.length) : "";
  const found: BurntInReason[] = [];
  const declared = annotation.toUpperCase();
  if (declared === "YES") found.push("said");
  else if (declared !== "NO") {
    if (sop === "7" || sop.startsWith("7.") || isCapture(traits)) found.push("capture");
    if (["US", "IVUS", "ECHO"].includes(modality) || /^(3|6)(\.|$)/.test(sop)) found.push("ultrasound");
  }
  if (sop.startsWith("104.") || modality === "DOC") found.push("document");
  if (overlayBit !== null && overlayBit > 0) found.push("overlay");
  if (features.toUpperCase() === "YES" || sop.startsWith("77.1.4") || modality === "XC") found.push("face");
  return found;
}

const storageClassPrefix = "1.2.840.10008.5.1.4.1.1.";

/** Secondary captures, screen shots and digitised film contain what surrounded the image. */
const isCapture = ({ modality, imageType }: BurntInTraits): boolean =>
  ["OT", "SC", "RF", "HC"].includes(modality) || imageType.some((word) => /SCREEN|CAPTURE|SAVE|FILM/i.test(word));

export const findBurntIn = (file: DicomItem): BurntInReason[] =>
  classifyBurntIn({
    sopClass: file.text(tags.sopClass) ?? "",
    modality: (file.text(tags.modality) ?? "").toUpperCase(),
    imageType: file.texts(tags.imageType),
    annotation: file.text("x00280301") ?? "",
    features: file.text("x00280302") ?? "",
    overlayBit: file.has("x60003000") ? null : file.uint16("x60000102"),
  });
