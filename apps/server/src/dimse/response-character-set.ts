import {
  encodeText,
  formatSpecificCharacterSet,
  selectWritableCharset,
  type WritableCharset,
} from "@arcada/imaging/dicom/write/encode-text";
import type { StandaloneDataSet } from "@arcada/imaging/dicom/parse/read-data-set";
import { tags } from "@arcada/imaging/dicom/parse/tags";

/** The form in which the texts of one answer are written. */
export interface AnswerEncoding {
  explicit: boolean;
  set: WritableCharset;
  /** The Latin group of names alone. */
  isLatin: boolean;
}

/**
 * Writes an answer in the character set that the search requested, or in the first of some others that has all its
 * characters. `encode` returns null if a character is missing.
 */
export function encodeInRequestedSet(
  query: StandaloneDataSet,
  { explicit, defaultSet }: { explicit: boolean; defaultSet: WritableCharset },
  encode: (encoding: AnswerEncoding) => Uint8Array | null,
): Buffer {
  const named = query.item.texts(tags.characterSet);
  const requested = named.length === 0 ? null : selectWritableCharset(named);
  for (const [set, isLatin] of characterSetsToTry(requested, defaultSet)) {
    const bytes = encode({ explicit, set, isLatin });
    if (bytes) return Buffer.from(bytes);
  }
  throw new Error("UTF-8 lacks no letter");
}

/**
 * Character sets to try, in this order: the requested one (ASCII if none); for a requested set without Chinese, the
 * Latin group of names alone; if none was requested, the usual one; last UTF-8, which has every character.
 */
function* characterSetsToTry(
  set: WritableCharset | null,
  defaultSet: WritableCharset,
): Generator<readonly [WritableCharset, boolean]> {
  yield [set ?? "ISO_IR 6", false];
  if (set === "ISO_IR 100" || set === "ISO_IR 6") yield [set, true];
  if (set === null) yield [defaultSet, false];
  yield ["ISO_IR 192", false];
}

/** Encodes a text value, padded to an even length; null if a character is missing in the set. */
export function encodeTextValue(vr: string, text: string, { set, isLatin }: AnswerEncoding): Uint8Array | null {
  const bytes = encodeText(vr === "PN" && isLatin ? text.split("=")[0]! : text, set);
  if (!bytes || bytes.length % 2 === 0) return bytes;
  return Buffer.concat([bytes, Buffer.from(vr === "UI" ? "\0" : " ")]);
}

/** The value of Specific Character Set in an answer; null: the answer is plain ASCII and has none. */
export const declaredSet = ({ set }: AnswerEncoding): string | null =>
  set === "ISO_IR 6" ? null : formatSpecificCharacterSet(set);
