import type { Window } from "../picture/window.ts";
import type { DicomItem } from "./item.ts";
import type { DicomFile } from "./read.ts";
import { tags } from "./tags.ts";
import { voiOf } from "./voi.ts";

/** Parts of a presentation state that are not shown here. */
const presentationParts = [
  "window",
  "modalityTable",
  "presentationTable",
  "graphics",
  "shutter",
  "displayedArea",
  "turning",
  "mask",
  "colour",
] as const;
type PresentationPart = (typeof presentationParts)[number];

/** What a presentation state is about; plain data that survives JSON. */
export interface PresentationHeader {
  label: string;
  /** SOP Instance UIDs of the pictures. */
  pictures: string[];
  notApplied: PresentationPart[];
}

/** Null for anything but a presentation state (PS3.3 A.33). */
export function presentationHeaderOf(file: DicomItem): PresentationHeader | null {
  if (!file.text(tags.sopClass)?.startsWith(states)) return null;
  const pictures = file.sequence(tags.referencedSeriesSequence).flatMap(referencedIn);
  return { label: file.text(tags.contentLabel) ?? "", pictures, notApplied: notApplied(file) };
}

const states = "1.2.840.10008.5.1.4.1.1.11.";
const greyState = `${states}1`;

const referencedIn = (item: DicomItem): string[] =>
  item.sequence(tags.referencedImageSequence).flatMap((image) => image.text(tags.referencedSopInstance) ?? []);

function notApplied(state: DicomItem): PresentationPart[] {
  if (state.text(tags.sopClass) !== greyState) return ["colour"];
  const turned = (state.number(tags.rotation) ?? 0) !== 0 || state.text(tags.flip) === "Y";
  const found: Record<PresentationPart, boolean> = {
    window: false,
    modalityTable: state.sequence(tags.modalityLutSequence).length > 0,
    presentationTable: state.sequence(tags.presentationLutSequence).length > 0,
    graphics: state.sequence(tags.graphicAnnotationSequence).length > 0,
    shutter: state.has(tags.shutterShape),
    displayedArea: false,
    turning: turned,
    mask: state.sequence(tags.maskSubtractionSequence).length > 0,
    colour: false,
  };
  return presentationParts.filter((part) => found[part]);
}

/** How a presentation state wants one picture to be shown. */
export interface Presentation extends Omit<PresentationHeader, "pictures"> {
  /** In modality values; null where it names none, or where its own modality transformation is another than the picture's. */
  window: Window | null;
  /** Low values white; null where the state leaves it to the picture. */
  inverted: boolean | null;
}

/**
 * What the latest of these states says of a picture; null where none is about it. Applied are the VOI window or table
 * and the shape of the presentation LUT (PS3.3 C.11.8 and C.11.6); the rest is named in `notApplied`.
 */
export function presentationFor(
  states: readonly DicomFile[],
  picture: DicomFile,
): { state: DicomFile; presentation: Presentation } | null {
  const uid = picture.text(tags.sopInstance) ?? "";
  const about = states.filter((state) => presentationHeaderOf(state)?.pictures.includes(uid));
  const state = about.toSorted((one, other) => (madeAt(one) < madeAt(other) ? 1 : -1))[0];
  return state ? { state, presentation: presentationOf(state, picture, uid) } : null;
}

const madeAt = (state: DicomItem): string =>
  `${state.text(tags.presentationDate) ?? ""} ${state.text(tags.presentationTime) ?? ""}`;

function presentationOf(state: DicomFile, picture: DicomFile, uid: string): Presentation {
  const label = state.text(tags.contentLabel) ?? "";
  const parts = notApplied(state);
  if (parts.includes("colour")) return { label, window: null, inverted: null, notApplied: parts };
  const left = new Set(parts);
  if (!isWholeArea(state, picture, uid)) left.add("displayedArea");
  if (hasOtherSlope(state, picture)) left.add("modalityTable");
  const meant = itemsFor(state.sequence(tags.softcopyVoiLutSequence), uid)[0];
  // A window means the values of the state's own transformation: through another it would show something else.
  if (meant && left.has("modalityTable")) left.add("window");
  const shape = state.text(tags.presentationLutShape);
  return {
    label,
    window: meant && !left.has("window") ? voiOf(meant, lowest(picture) < 0) : null,
    inverted: shape === null ? null : shape === "INVERSE",
    notApplied: presentationParts.filter((part) => left.has(part)),
  };
}

/** Items that name this picture, or none. */
const itemsFor = (items: readonly DicomItem[], uid: string): DicomItem[] =>
  items.filter((item) => {
    const named = referencedIn(item);
    return named.length === 0 || named.includes(uid);
  });

function isWholeArea(state: DicomItem, picture: DicomItem, uid: string): boolean {
  const area = itemsFor(state.sequence(tags.displayedArea), uid)[0];
  if (area === undefined) return true;
  const [left = 1, top = 1] = area.numbers(tags.displayedTopLeft);
  const [right = 0, bottom = 0] = area.numbers(tags.displayedBottomRight);
  return (
    left <= 1 && top <= 1 && right >= (picture.uint16(tags.columns) ?? 0) && bottom >= (picture.uint16(tags.rows) ?? 0)
  );
}

const slopeOf = (item: DicomItem): number => item.number(tags.rescaleSlope) || 1;
const interceptOf = (item: DicomItem): number => item.number(tags.rescaleIntercept) ?? 0;

function hasOtherSlope(state: DicomItem, picture: DicomItem): boolean {
  if (!state.has(tags.rescaleSlope)) return false;
  return slopeOf(state) !== slopeOf(picture) || interceptOf(state) !== interceptOf(picture);
}

/** Of the modality values that the picture's bits can hold. */
function lowest(picture: DicomItem): number {
  const isSigned = picture.uint16(tags.pixelRepresentation) === 1;
  const stored = isSigned ? -(2 ** ((picture.uint16(tags.bitsStored) ?? 16) - 1)) : 0;
  return stored * slopeOf(picture) + interceptOf(picture);
}
