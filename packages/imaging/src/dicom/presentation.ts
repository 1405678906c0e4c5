import type { Window } from "../picture/window.ts";
import type { Area } from "../view/picture-view.ts";
import { DicomError } from "./error.ts";
import type { DicomItem } from "./item.ts";
import {
  annotationsOf,
  lieOf,
  shutterOf,
  type StateGraphic,
  type StateLie,
  type StateShutter,
  type StateWords,
} from "./presentation-drawing.ts";
import { throughPresentationLut } from "./presentation-lut.ts";
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

/** The summary of a presentation state; plain data that survives JSON. */
export interface PresentationHeader {
  label: string;
  /** SOP Instance UIDs of the images. */
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
  const found: Record<PresentationPart, boolean> = {
    window: false,
    modalityTable: state.sequence(tags.modalityLutSequence).length > 0,
    presentationTable: state.sequence(tags.presentationLutSequence).length > 0,
    graphics: false,
    shutter: shutterOf(state).isPartly,
    displayedArea: false,
    turning: lieOf(state, []).isPartly,
    mask: state.sequence(tags.maskSubtractionSequence).length > 0,
    colour: false,
  };
  return presentationParts.filter((part) => found[part]);
}

/** The presentation of one image by a presentation state. */
export interface Presentation extends Omit<PresentationHeader, "pictures"> {
  /** In modality values; null if it names none, or if its own modality transformation differs from the image's. */
  window: Window | null;
  /** Low values are white; null if the state leaves it to the image. */
  inverted: boolean | null;
  drawn: StateDrawing;
}

/** The drawings over the image, its hidden parts and its orientation. */
export interface StateDrawing extends StateLie {
  graphics: StateGraphic[];
  words: StateWords[];
  shutter: StateShutter | null;
}

const nothingDrawn: StateDrawing = {
  graphics: [],
  words: [],
  shutter: null,
  turns: 0,
  mirrored: false,
  area: null,
};

/**
 * Returns the presentation of an image by the latest of these states; null if none refers to it. Applied are the VOI
 * window or table, the presentation LUT or its shape (PS3.3 C.11.8 and C.11.6), annotations, the shutter, rotation and
 * displayed area; the rest is named in `notApplied`.
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
  if (parts.includes("colour")) return { label, window: null, inverted: null, notApplied: parts, drawn: nothingDrawn };
  const left = new Set(parts);
  const areas = itemsFor(state.sequence(tags.displayedArea), uid);
  const size = { columns: picture.uint16(tags.columns) ?? 0, rows: picture.uint16(tags.rows) ?? 0 };
  const { found: lie } = lieOf(state, areas);
  const notes = annotationsOf(itemsFor(state.sequence(tags.graphicAnnotationSequence), uid), areas[0], lie.turns, size);
  if (areas.length > 0 && lie.area === null) left.add("displayedArea");
  if (notes.isPartly) left.add("graphics");
  if (hasOtherSlope(state, picture)) left.add("modalityTable");
  const meant = itemsFor(state.sequence(tags.softcopyVoiLutSequence), uid)[0];
  // A window means the values of the state's own transformation: through another it would show something else.
  if (meant && left.has("modalityTable")) left.add("window");
  const window = meant && !left.has("window") ? voiOf(meant, mayBeNegative(picture)) : null;
  const tabled = left.has("modalityTable") ? null : tableOf(state, window ?? wholeRange(picture));
  if (tabled) left.delete("presentationTable");
  const shape = state.text(tags.presentationLutShape);
  return {
    label,
    window: tabled ?? window,
    inverted: tabled ? false : shape === null ? null : shape === "INVERSE",
    notApplied: presentationParts.filter((part) => left.has(part)),
    drawn: {
      ...lie,
      area: lie.area && isWhole(lie.area, size) ? null : lie.area,
      ...notes.found,
      shutter: shutterOf(state).found,
    },
  };
}

/** The window with the state's presentation table; null where it has none, or one that cannot be read. */
function tableOf(state: DicomItem, window: Window): Window | null {
  const [item] = state.sequence(tags.presentationLutSequence);
  if (!item) return null;
  try {
    return throughPresentationLut(window, item);
  } catch (error) {
    if (error instanceof DicomError) return null;
    throw error;
  }
}

/** Returns the items that name this image, or no image at all. */
const itemsFor = (items: readonly DicomItem[], uid: string): DicomItem[] =>
  items.filter((item) => {
    const named = referencedIn(item);
    return named.length === 0 || named.includes(uid);
  });

const isWhole = ({ left, top, right, bottom }: Area, { columns, rows }: { columns: number; rows: number }): boolean =>
  left <= 0 && top <= 0 && right >= columns && bottom >= rows;

const slopeOf = (item: DicomItem): number => item.number(tags.rescaleSlope) || 1;
const interceptOf = (item: DicomItem): number => item.number(tags.rescaleIntercept) ?? 0;

function hasOtherSlope(state: DicomItem, picture: DicomItem): boolean {
  if (!state.has(tags.rescaleSlope)) return false;
  return slopeOf(state) !== slopeOf(picture) || interceptOf(state) !== interceptOf(picture);
}

/** All modality values that the image's bits can hold, as a window. */
function wholeRange(picture: DicomItem): Window {
  const [least, most] = modalityRange(picture);
  const step = Math.abs(slopeOf(picture));
  return { center: (least + most + step) / 2, width: most - least + step };
}

/** True if a stored value can become a negative modality value: the first value of a VOI table is then signed. */
const mayBeNegative = (picture: DicomItem): boolean => modalityRange(picture)[0] < 0;

/** Returns the least and the greatest modality value that the image's bits can hold; a negative slope exchanges them. */
function modalityRange(picture: DicomItem): [least: number, most: number] {
  const count = 2 ** (picture.uint16(tags.bitsStored) ?? 16);
  const first = picture.uint16(tags.pixelRepresentation) === 1 ? -count / 2 : 0;
  const ends = [first, first + count - 1].map((stored) => stored * slopeOf(picture) + interceptOf(picture));
  return [Math.min(...ends), Math.max(...ends)];
}
