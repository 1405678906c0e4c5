import { describe, expect, it } from "vitest";
import { decodeJpegLossless } from "./jpeg-lossless.ts";

interface Made {
  rows: number;
  columns: number;
  samples: number;
  bits: number;
  predictor: number;
  shift?: number;
  restartRows?: number;
}

/** An encoder that follows T.81 Annex H literally; all 17 categories have codes of 5 bits. */
function encode(values: ArrayLike<number>, made: Made): Uint8Array {
  const { rows, columns, samples, bits, predictor, shift = 0, restartRows = 0 } = made;
  const bytes: number[] = [
    0xff,
    0xd8,
    0xff,
    0xc3,
    0,
    8 + samples * 3,
    bits,
    rows >> 8,
    rows & 255,
    columns >> 8,
    columns & 255,
    samples,
  ];
  for (let sample = 0; sample < samples; sample++) bytes.push(sample + 1, 0x11, 0);
  bytes.push(0xff, 0xc4, 0, 19 + 17, 0, 0, 0, 0, 0, 17, ...Array<number>(11).fill(0), ...Array(17).keys());
  if (restartRows > 0) bytes.push(0xff, 0xdd, 0, 4, (restartRows * columns) >> 8, (restartRows * columns) & 255);
  bytes.push(0xff, 0xda, 0, 6 + samples * 2, samples);
  for (let sample = 0; sample < samples; sample++) bytes.push(sample + 1, 0);
  bytes.push(predictor, 0, shift);
  let pending = "";
  const put = (code: string) => {
    pending += code;
    for (; pending.length >= 8; pending = pending.slice(8)) {
      const byte = Number.parseInt(pending.slice(0, 8), 2);
      bytes.push(byte);
      if (byte === 0xff) bytes.push(0);
    }
  };
  const at = (row: number, column: number, sample: number) =>
    (values[(row * columns + column) * samples + sample] ?? 0) >> shift;
  for (let row = 0; row < rows; row++) {
    const isTop = restartRows > 0 ? row % restartRows === 0 : row === 0;
    if (isTop && row > 0) {
      put("1".repeat((8 - pending.length) % 8));
      bytes.push(0xff, 0xd0 + ((row / restartRows - 1) & 7));
    }
    for (let column = 0; column < columns; column++) {
      for (let sample = 0; sample < samples; sample++) {
        const [left, above, corner] = [
          at(row, column - 1, sample),
          at(row - 1, column, sample),
          at(row - 1, column - 1, sample),
        ];
        const inner =
          [
            left,
            above,
            corner,
            left + above - corner,
            left + ((above - corner) >> 1),
            above + ((left - corner) >> 1),
            (left + above) >> 1,
          ][predictor - 1] ?? 0;
        const guess = column === 0 ? (isTop ? 1 << (bits - shift - 1) : above) : isTop ? left : inner;
        const difference = ((at(row, column, sample) - guess) << 16) >> 16;
        const category = difference === -32768 ? 16 : difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
        put(category.toString(2).padStart(5, "0"));
        if (category > 0 && category < 16)
          put((difference > 0 ? difference : difference + (1 << category) - 1).toString(2).padStart(category, "0"));
      }
    }
  }
  put("1".repeat((8 - pending.length) % 8));
  return Uint8Array.from([...bytes, 0xff, 0xd9]);
}

/** Smooth with jumps over the whole range, so that every category occurs. */
const makeSamples = (length: number, bits: number) =>
  Uint16Array.from({ length }, (_, at) => (at % 7 === 3 ? Math.imul(at, 40503) : at * 3) & ((1 << bits) - 1));

const roundTrip = (made: Made) => {
  const values = makeSamples(made.rows * made.columns * made.samples, made.bits);
  return { values, decoded: decodeJpegLossless(encode(values, made), made).data };
};

describe("JPEG Lossless", () => {
  it.each([1, 2, 3, 4, 5, 6, 7])("comes back exactly with predictor %i", (predictor) => {
    for (const [bits, samples] of [
      [16, 1],
      [12, 1],
      [8, 3],
    ] as const) {
      const { values, decoded } = roundTrip({ rows: 9, columns: 11, samples, bits, predictor });
      expect(decoded).toEqual(values);
    }
  });

  it("comes back exactly after restart markers", () => {
    const { values, decoded } = roundTrip({
      rows: 20,
      columns: 11,
      samples: 1,
      bits: 12,
      predictor: 4,
      restartRows: 2,
    });
    expect(decoded).toEqual(values);
  });

  it("loses the bits of its point transform only", () => {
    const { values, decoded } = roundTrip({ rows: 9, columns: 11, samples: 1, bits: 12, predictor: 1, shift: 2 });
    expect(decoded).toEqual(values.map((value) => value & ~3));
  });

  it("is refused when it ends early or is larger than the header states", () => {
    const made = { rows: 40, columns: 40, samples: 1, bits: 12, predictor: 1 };
    const whole = encode(makeSamples(1600, 12), made);
    expect(() => decodeJpegLossless(whole.subarray(0, whole.length - 40), made)).toThrow(
      expect.objectContaining({ reason: "truncated" }),
    );
    expect(() => decodeJpegLossless(whole, { ...made, rows: 20 })).toThrow(
      expect.objectContaining({ reason: "unsupported" }),
    );
  });
});
