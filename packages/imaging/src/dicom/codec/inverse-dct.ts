/**
 * Turns 64 dequantised coefficients into samples of `bits` bits, in place, `[row][column]`.
 * Whole-number arithmetic with 13 fractional bits after Loeffler, Ligtenberg and Moschytz (ICASSP 1989), rounded where
 * the reference implementation of the Independent JPEG Group rounds, so that both give the same samples.
 */
export function inverseDct(block: Int32Array, bits: number): void {
  for (let column = 0; column < 8; column++) pass(block, column, 8, fraction - kept);
  // The second pass also takes away the factor 8 of two passes.
  for (let row = 0; row < 8; row++) pass(block, row * 8, 1, fraction + kept + 3);
  const [middle, highest] = [2 ** (bits - 1), 2 ** bits - 1];
  for (let at = 0; at < 64; at++) block[at] = Math.min(highest, Math.max(0, block[at] + middle));
}

const fraction = 13;
/** Fractional bits that the first pass leaves to the second; one where samples have 12 bits. */
const kept = 1;

const fixed = (factor: number): number => Math.round(factor * 2 ** fraction);

const even = { both: fixed(0.54119610014), sixth: fixed(-1.84775906502), second: fixed(0.76536686473) };
const odd = {
  all: fixed(1.17587560241),
  seventh: fixed(0.2986313364),
  fifth: fixed(2.05311986904),
  third: fixed(3.07271102601),
  first: fixed(1.50132111057),
  sevenFirst: fixed(-0.89997622313),
  fiveThird: fixed(-2.56291544774),
  sevenThird: fixed(-1.96157056048),
  fiveFirst: fixed(-0.39018064403),
};

/** One line of eight values, `step` apart. */
function pass(values: Int32Array, start: number, step: number, shift: number): void {
  const [c0, c1, c2, c3] = [values[start], values[start + step], values[start + 2 * step], values[start + 3 * step]];
  const later = start + 4 * step;
  const [c4, c5, c6, c7] = [values[later], values[later + step], values[later + 2 * step], values[later + 3 * step]];

  const turned = (c2 + c6) * even.both;
  const [low, high] = [turned + c6 * even.sixth, turned + c2 * even.second];
  const [sum, difference] = [(c0 + c4) * 2 ** fraction, (c0 - c4) * 2 ** fraction];
  const evens = [sum + high, difference + low, difference - low, sum - high];

  const all = (c7 + c3 + c5 + c1) * odd.all;
  const [a, b] = [(c7 + c1) * odd.sevenFirst, (c5 + c3) * odd.fiveThird];
  const [c, d] = [(c7 + c3) * odd.sevenThird + all, (c5 + c1) * odd.fiveFirst + all];
  const odds = [c1 * odd.first + a + d, c3 * odd.third + b + c, c5 * odd.fifth + b + d, c7 * odd.seventh + a + c];

  const half = 2 ** (shift - 1);
  for (let place = 0; place < 4; place++) {
    values[start + place * step] = (evens[place] + odds[place] + half) >> shift;
    values[start + (7 - place) * step] = (evens[place] - odds[place] + half) >> shift;
  }
}
