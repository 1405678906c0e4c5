export type RawData =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

export interface RawFrame {
  rows: number;
  columns: number;
  /** Per pixel, interleaved: 1 or 3. */
  samples: number;
  bitsStored: number;
  signed: boolean;
  /** The photometric interpretation of the values here. Decoding may have changed it (JPEG colour becomes RGB). */
  photometric: string;
  /** `[row][column][sample]`, stored values before any look-up table. */
  data: RawData;
}

/** Little-endian bytes as samples of 8, 16 or 32 bits (1 bit: a byte each); a view where alignment allows. */
export function toSamples(bytes: Uint8Array, bits: number): Uint8Array | Uint16Array | Uint32Array {
  if (bits <= 8) return bytes;
  const size = bits / 8;
  const even = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  const length = Math.trunc(bytes.length / size);
  return bits === 16
    ? new Uint16Array(even.buffer, even.byteOffset, length)
    : new Uint32Array(even.buffer, even.byteOffset, length);
}

/**
 * Stored values from unsigned samples: bits below and above the stored ones are dropped, the sign is extended. Changes
 * `samples` in place and returns a view of it.
 */
export function extractStoredValues(
  samples: Uint8Array | Uint16Array | Uint32Array,
  bitsStored: number,
  shift: number,
  signed: boolean,
): RawData {
  const width = samples.BYTES_PER_ELEMENT * 8;
  const above = width - bitsStored - shift;
  const values = signed ? toSignedView(samples) : samples;
  // 32 − bits: the shifts below work on 32-bit numbers whatever the element width of the array.
  const [up, down] = [32 - width + above, 32 - bitsStored];
  if (shift === 0 && above === 0) return values;
  if (signed) for (let at = 0; at < values.length; at++) values[at] = (values[at] << up) >> down;
  else for (let at = 0; at < values.length; at++) values[at] = (values[at] << up) >>> down;
  return values;
}

/** Little-endian bytes as floating point numbers of 32 or 64 bits. */
export function toFloats(bytes: Uint8Array, bits: number): Float32Array | Float64Array {
  const even = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
  const length = Math.trunc(bytes.length / (bits / 8));
  return bits === 64
    ? new Float64Array(even.buffer, even.byteOffset, length)
    : new Float32Array(even.buffer, even.byteOffset, length);
}

function toSignedView(samples: Uint8Array | Uint16Array | Uint32Array): Int8Array | Int16Array | Int32Array {
  const [buffer, offset, length] = [samples.buffer, samples.byteOffset, samples.length];
  if (samples.BYTES_PER_ELEMENT === 1) return new Int8Array(buffer, offset, length);
  return samples.BYTES_PER_ELEMENT === 2
    ? new Int16Array(buffer, offset, length)
    : new Int32Array(buffer, offset, length);
}

/** Lowers, in place, every stored value above `highest`. */
export function clampAbove(samples: Uint8Array | Uint16Array | Uint32Array, highest: number): void {
  for (let at = 0; at < samples.length; at++) if (samples[at] > highest) samples[at] = highest;
}
