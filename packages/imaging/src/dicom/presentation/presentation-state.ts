import type { VoiWindow } from "../../image/voi-window.ts";
import type { ImageArea } from "../../view/image-view.ts";
import { DicomError } from "../dicom-error.ts";
import type { DicomItem } from "../parse/dicom-item.ts";
import {
  readAnnotations,
  readSpatialTransform,
  readShutter,
  type StateGraphic,
  type StateSpatialTransform,
  type StateShutter,
  type StateText,
} from "./presentation-state-graphics.ts";
import { tags } from "../parse/tags.ts";
import { readVoiWindow } from "../pixels/read-voi.ts";
import type { DicomFile } from "../parse/dicom-file.ts";
import { createToneFunction } from "../../image/voi-window.ts";
import { readLut } from "../pixels/lut.ts";

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
export function readPresentationHeader(file: DicomItem): PresentationHeader | null {
  if (!file.text(tags.sopClass)?.startsWith(stateClassPrefix)) return null;
  const images = file.sequence(tags.referencedSeriesSequence).flatMap(listReferencedImages);
  return { label: file.text(tags.contentLabel) ?? "", pictures: images, notApplied: listUnapplied(file) };
}

const stateClassPrefix = "1.2.840.10008.5.1.4.1.1.11.";
const grayscaleState = `${stateClassPrefix}1`;

const listReferencedImages = (item: DicomItem): string[] =>
  item.sequence(tags.referencedImageSequence).flatMap((image) => image.text(tags.referencedSopInstance) ?? []);

function listUnapplied(state: DicomItem): PresentationPart[] {
  if (state.text(tags.sopClass) !== grayscaleState) return ["colour"];
  const found: Record<PresentationPart, boolean> = {
    window: false,
    modalityTable: state.sequence(tags.modalityLutSequence).length > 0,
    presentationTable: state.sequence(tags.presentationLutSequence).length > 0,
    graphics: false,
    shutter: readShutter(state).isIncomplete,
    displayedArea: false,
    turning: readSpatialTransform(state, []).isIncomplete,
    mask: state.sequence(tags.maskSubtractionSequence).length > 0,
    colour: false,
  };
  return presentationParts.filter((part) => found[part]);
}

/** The presentation of one image by a presentation state. */
export interface Presentation extends Omit<PresentationHeader, "pictures"> {
  /** In modality values; null if it names none, or if its own modality transformation differs from the image's. */
  window: VoiWindow | null;
  /** Low values are white; null if the state leaves it to the image. */
  inverted: boolean | null;
  drawn: StateDrawing;
}

/** The drawings over the image, its hidden parts and its orientation. */
export interface StateDrawing extends StateSpatialTransform {
  graphics: StateGraphic[];
  words: StateText[];
  shutter: StateShutter | null;
}

const emptyDrawing: StateDrawing = {
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
export function resolvePresentation(
  states: readonly DicomFile[],
  image: DicomFile,
): { state: DicomFile; presentation: Presentation } | null {
  const uid = image.text(tags.sopInstance) ?? "";
  const matching = states.filter((state) => readPresentationHeader(state)?.pictures.includes(uid));
  const state = matching.toSorted((one, other) => (creationTime(one) < creationTime(other) ? 1 : -1))[0];
  return state ? { state, presentation: readPresentation(state, image, uid) } : null;
}

const creationTime = (state: DicomItem): string =>
  `${state.text(tags.presentationDate) ?? ""} ${state.text(tags.presentationTime) ?? ""}`;

function readPresentation(state: DicomFile, image: DicomFile, uid: string): Presentation {
  const label = state.text(tags.contentLabel) ?? "";
  const parts = listUnapplied(state);
  if (parts.includes("colour")) return { label, window: null, inverted: null, notApplied: parts, drawn: emptyDrawing };
  const unapplied = new Set(parts);
  const areas = itemsForImage(state.sequence(tags.displayedArea), uid);
  const size = { columns: image.uint16(tags.columns) ?? 0, rows: image.uint16(tags.rows) ?? 0 };
  const { value: transform } = readSpatialTransform(state, areas);
  const annotations = readAnnotations(
    itemsForImage(state.sequence(tags.graphicAnnotationSequence), uid),
    areas[0],
    transform.turns,
    size,
  );
  if (areas.length > 0 && transform.area === null) unapplied.add("displayedArea");
  if (annotations.isIncomplete) unapplied.add("graphics");
  if (hasOtherRescale(state, image)) unapplied.add("modalityTable");
  const voiItem = itemsForImage(state.sequence(tags.softcopyVoiLutSequence), uid)[0];
  // A window means the values of the state's own transformation: through another it would show something else.
  if (voiItem && unapplied.has("modalityTable")) unapplied.add("window");
  const window = voiItem && !unapplied.has("window") ? readVoiWindow(voiItem, mayBeNegative(image)) : null;
  const tableWindow = unapplied.has("modalityTable") ? null : readTable(state, window ?? fullRange(image));
  if (tableWindow) unapplied.delete("presentationTable");
  const shape = state.text(tags.presentationLutShape);
  return {
    label,
    window: tableWindow ?? window,
    inverted: tableWindow ? false : shape === null ? null : shape === "INVERSE",
    notApplied: presentationParts.filter((part) => unapplied.has(part)),
    drawn: {
      ...transform,
      area: transform.area && coversImage(transform.area, size) ? null : transform.area,
      ...annotations.value,
      shutter: readShutter(state).value,
    },
  };
}

/** The window with the state's presentation table; null where it has none, or one that cannot be read. */
function readTable(state: DicomItem, window: VoiWindow): VoiWindow | null {
  const [item] = state.sequence(tags.presentationLutSequence);
  if (!item) return null;
  try {
    return applyPresentationLut(window, item);
  } catch (error) {
    if (error instanceof DicomError) return null;
    throw error;
  }
}

/** More shades than that no screen has. */
const maxShades = 4096;

/**
 * Combines a window and the presentation look-up table that follows it into one table: the table's first entry receives
 * what the window shows black, its last what it shows white (PS3.3 C.11.4).
 * @param item of the Presentation LUT Sequence
 * @throws DicomError truncated if the table is too short
 */
function applyPresentationLut(window: VoiWindow, item: DicomItem): VoiWindow {
  const { entries } = readLut(item, false);
  const [, , bits = 16] = item.numbers(tags.lutDescriptor);
  const [last, white] = [entries.length - 1, 2 ** bits - 1];
  const tone = createToneFunction(window);
  // A sigmoid continues beyond its width; three widths to each side it is within a shade of its end.
  const width = window.shape === "sigmoid" ? window.width * 6 : window.width;
  const first = window.center - width / 2;
  const count = Math.max(2, Math.min(maxShades, Math.ceil(width)));
  // One shade for each whole value is that value's own, else of the middle of its part.
  const valueAt = (index: number): number =>
    count === width ? Math.ceil(first + index) : first + ((index + 0.5) * width) / count;
  const letters = Array.from({ length: count }, (_, index) => {
    const entry = entries[Math.round((tone(valueAt(index)) / 255) * last)] ?? 0;
    return String.fromCharCode(Math.round((Math.min(entry, white) / white) * 255));
  });
  return { center: window.center, width, shape: "table", table: btoa(letters.join("")) };
}

/** Returns the items that name this image, or no image at all. */
const itemsForImage = (items: readonly DicomItem[], uid: string): DicomItem[] =>
  items.filter((item) => {
    const named = listReferencedImages(item);
    return named.length === 0 || named.includes(uid);
  });

const coversImage = (
  { left, top, right, bottom }: ImageArea,
  { columns, rows }: { columns: number; rows: number },
): boolean => left <= 0 && top <= 0 && right >= columns && bottom >= rows;

const slopeOf = (item: DicomItem): number => item.number(tags.rescaleSlope) || 1;
const interceptOf = (item: DicomItem): number => item.number(tags.rescaleIntercept) ?? 0;

function hasOtherRescale(state: DicomItem, image: DicomItem): boolean {
  if (!state.has(tags.rescaleSlope)) return false;
  return slopeOf(state) !== slopeOf(image) || interceptOf(state) !== interceptOf(image);
}

/** All modality values that the image's bits can hold, as a window. */
function fullRange(image: DicomItem): VoiWindow {
  const [least, most] = modalityRange(image);
  const step = Math.abs(slopeOf(image));
  return { center: (least + most + step) / 2, width: most - least + step };
}

/** True if a stored value can become a negative modality value: the first value of a VOI table is then signed. */
const mayBeNegative = (image: DicomItem): boolean => modalityRange(image)[0] < 0;

/** Returns the least and the greatest modality value that the image's bits can hold; a negative slope exchanges them. */
function modalityRange(image: DicomItem): [least: number, most: number] {
  const count = 2 ** (image.uint16(tags.bitsStored) ?? 16);
  const first = image.uint16(tags.pixelRepresentation) === 1 ? -count / 2 : 0;
  const ends = [first, first + count - 1].map((stored) => stored * slopeOf(image) + interceptOf(image));
  return [Math.min(...ends), Math.max(...ends)];
}
