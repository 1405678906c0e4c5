import { joinBytes } from "../../join-bytes.ts";
import { DicomError } from "../dicom-error.ts";

/** The encoding of the elements of a data set. */
export interface Encoding {
  explicit: boolean;
  little: boolean;
}

/** An element to write; `vr` is absent where the data set leaves it out (Implicit VR, also inside an UN sequence). */
export interface ElementHeader {
  tag: string;
  vr?: string | undefined;
  hadUndefinedLength?: boolean;
  items?: unknown;
}

/**
 * Header and value. A sequence of undefined length keeps its undefined length and its delimiter. PS3.5 7.1, 7.5.
 * @throws DicomError unsupported for a value longer than its VR can express.
 */
export function encodeElement(head: ElementHeader, value: Uint8Array, { little }: Encoding): Uint8Array {
  const open = head.hadUndefinedLength === true && (value.length > 0 || head.items === undefined);
  const length = open ? 0xffffffff : value.length;
  const delimiter = open && head.items !== undefined ? [encodeMarker(0xe0dd, 0, little)] : [];
  return joinBytes([encodeHeader(head, length, little), value, ...delimiter]);
}

/** An item of a sequence around its encoded elements. */
export const encodeItem = (open: boolean, elements: Uint8Array, { little }: Encoding): Uint8Array =>
  joinBytes([
    encodeMarker(0xe000, open ? 0xffffffff : elements.length, little),
    elements,
    ...(open ? [encodeMarker(0xe00d, 0, little)] : []),
  ]);

/** Closes the fragments of encapsulated pixel data (PS3.5 A.4). */
export const encodeSequenceDelimiter = (): Uint8Array => encodeMarker(0xe0dd, 0, true);

// The VRs that dicom-parser reads with two reserved bytes and 32 bits of length; they are written in the same form.
const longFormVrs = new Set(["OB", "OD", "OF", "OL", "OW", "SQ", "UC", "UN", "UR", "UT"]);

/** True if the length of a value of this representation has 32 bits. */
export const hasLongForm = (vr: string): boolean => longFormVrs.has(vr);

function encodeHeader({ tag, vr }: ElementHeader, length: number, little: boolean): Uint8Array {
  const long = vr !== undefined && longFormVrs.has(vr);
  if (vr !== undefined && !long && length > 0xffff) throw new DicomError("unsupported", `${tag} is too long for ${vr}`);
  const view = new DataView(new ArrayBuffer(long ? 12 : 8));
  view.setUint16(0, Number.parseInt(tag.slice(1, 5), 16), little);
  view.setUint16(2, Number.parseInt(tag.slice(5, 9), 16), little);
  if (vr === undefined) view.setUint32(4, length, little);
  else {
    view.setUint8(4, vr.charCodeAt(0));
    view.setUint8(5, vr.charCodeAt(1));
    if (long) view.setUint32(8, length, little);
    else view.setUint16(6, length, little);
  }
  return new Uint8Array(view.buffer);
}

function encodeMarker(element: number, length: number, little: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint16(0, 0xfffe, little);
  view.setUint16(2, element, little);
  view.setUint32(4, length, little);
  return new Uint8Array(view.buffer);
}
