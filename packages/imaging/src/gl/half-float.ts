/** The bits of a 16-bit float nearest to a number; beyond its range the largest. */
export function toHalfFloat(value: number): number {
  scratch[0] = Math.min(65504, Math.max(-65504, value));
  const bits = scratchBits[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  // Below the smallest normal half there are only fractions, which whole grey values never are.
  if (exponent <= 0) return sign;
  const rounded = (exponent << 23) | (bits & 0x7fffff);
  return sign | ((rounded + 0xfff + ((rounded >>> 13) & 1)) >>> 13);
}

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** Half floats of (grey value − offset) by the 16 bits of a signed grey value. */
export const createHalfFloatTable = (offset: number): Uint16Array =>
  Uint16Array.from({ length: 65536 }, (_, bits) => toHalfFloat(((bits << 16) >> 16) - offset));

/**
 * The half floats of signed grey values by such a table. A loop: `Uint16Array.from` calls a function for each value and
 * takes ten times as long or more.
 */
export function toHalfFloats(
  values: Int16Array,
  table: Uint16Array,
  halves = new Uint16Array(values.length),
): Uint16Array<ArrayBuffer> {
  for (let at = 0; at < values.length; at++) halves[at] = table[(values[at] ?? 0) & 0xffff] ?? 0;
  return halves;
}

/** The offset at which half floats hold the most grey values exactly: whole numbers up to 2048 on either side of zero. */
export const chooseHalfFloatOffset = (min: number, max: number): number =>
  Math.round(max - min <= 4096 ? (min + max) / 2 : min + 2048);
