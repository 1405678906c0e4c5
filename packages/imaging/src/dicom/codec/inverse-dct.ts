/**
 * Turns 64 dequantised coefficients into samples of `bits` bits, in place, `[row][column]`.
 * Whole-number arithmetic with 13 fractional bits after Loeffler, Ligtenberg and Moschytz (ICASSP 1989), rounded where
 * the reference implementation of the Independent JPEG Group rounds, so that both give the same samples.
 */
export function inverseDct(block: Int32Array, bits: number): void {
  for (let column = 0; column < 8; column++) transformLine(block, column, 8, fraction - passBits);
  // The second pass also removes the factor 8 of two passes.
  for (let row = 0; row < 8; row++) transformLine(block, row * 8, 1, fraction + passBits + 3);
  const [middle, highest] = [2 ** (bits - 1), 2 ** bits - 1];
  for (let at = 0; at < 64; at++) block[at] = Math.min(highest, Math.max(0, block[at] + middle));
}

const fraction = 13;
/** Fractional bits that the first pass leaves to the second; one where samples have 12 bits. */
const passBits = 1;

const toFixedPoint = (factor: number): number => Math.round(factor * 2 ** fraction);

const evenFactors = {
  both: toFixedPoint(0.54119610014),
  sixth: toFixedPoint(-1.84775906502),
  second: toFixedPoint(0.76536686473),
};
const oddFactors = {
  all: toFixedPoint(1.17587560241),
  seventh: toFixedPoint(0.2986313364),
  fifth: toFixedPoint(2.05311986904),
  third: toFixedPoint(3.07271102601),
  first: toFixedPoint(1.50132111057),
  sevenFirst: toFixedPoint(-0.89997622313),
  fiveThird: toFixedPoint(-2.56291544774),
  sevenThird: toFixedPoint(-1.96157056048),
  fiveFirst: toFixedPoint(-0.39018064403),
};

/** One line of eight values, `step` apart. */
function transformLine(values: Int32Array, start: number, step: number, shift: number): void {
  const [c0, c1, c2, c3] = [values[start], values[start + step], values[start + 2 * step], values[start + 3 * step]];
  const later = start + 4 * step;
  const [c4, c5, c6, c7] = [values[later], values[later + step], values[later + 2 * step], values[later + 3 * step]];

  const rotated = (c2 + c6) * evenFactors.both;
  const [low, high] = [rotated + c6 * evenFactors.sixth, rotated + c2 * evenFactors.second];
  const [sum, difference] = [(c0 + c4) * 2 ** fraction, (c0 - c4) * 2 ** fraction];
  const evens = [sum + high, difference + low, difference - low, sum - high];

  const all = (c7 + c3 + c5 + c1) * oddFactors.all;
  const [a, b] = [(c7 + c1) * oddFactors.sevenFirst, (c5 + c3) * oddFactors.fiveThird];
  const [c, d] = [(c7 + c3) * oddFactors.sevenThird + all, (c5 + c1) * oddFactors.fiveFirst + all];
  const odds = [
    c1 * oddFactors.first + a + d,
    c3 * oddFactors.third + b + c,
    c5 * oddFactors.fifth + b + d,
    c7 * oddFactors.seventh + a + c,
  ];

  const half = 2 ** (shift - 1);
  for (let index = 0; index < 4; index++) {
    values[start + index * step] = (evens[index] + odds[index] + half) >> shift;
    values[start + (7 - index) * step] = (evens[index] - odds[index] + half) >> shift;
  }
}
