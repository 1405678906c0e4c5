import {
  isDeciduous,
  jawOf,
  lowerDeciduous,
  lowerTeeth,
  positionInQuadrant,
  upperDeciduous,
  upperTeeth,
} from "@arcada/contract/kernel/tooth-numbers";
import type { VotedTooth } from "./vote-maps.ts";
import { chooseOrder } from "./choose-tooth-order.ts";

/** A tooth with its number, and how probable both are: the number among all orders of its row, and that it is a tooth. */
export interface NumberedTooth extends VotedTooth {
  fdi: number;
  confidence: number;
}

const rows = [upperTeeth, lowerTeeth, upperDeciduous, lowerDeciduous];

/**
 * Gives each tooth its number: along a row the numbers follow each other, and the distances fit the teeth between them.
 * Finds that fit no order are dropped.
 * @param numbers the FDI numbers of `shares`, in order
 */
export function numberTeeth(teeth: readonly VotedTooth[], numbers: readonly number[]): NumberedTooth[] {
  if (teeth.length === 0) return [];
  const channelOf = new Map(numbers.map((fdi, channel) => [fdi, channel]));
  const shareOf = (tooth: VotedTooth, fdi: number): number => tooth.shares[channelOf.get(fdi) ?? -1] ?? 0;
  const usualWidth = middleValue(teeth.map(({ box }) => box.right - box.left));
  const byRow = Map.groupBy(teeth, (tooth) =>
    highestIndex(rows.map((row) => row.reduce((sum, fdi) => sum + shareOf(tooth, fdi), 0))),
  );
  return rows.flatMap((row, at) => {
    const own = (byRow.get(at) ?? []).toSorted((a, b) => a.box.left + a.box.right - b.box.left - b.box.right);
    if (own.length === 0) return [];
    const order = chooseOrder({
      places: row.length,
      evidence: own.map((tooth) => row.map((fdi) => trust * Math.log(shareOf(tooth, fdi) + leastShare))),
      dropping: own.map((_, index) => costOfDropping(own, index, usualWidth)),
      rateSteps: (from, to) => rateSteps(row, ((middleOf(own[to]) - middleOf(own[from])) * usualTooth) / usualWidth),
    });
    return order.map(({ item, place, confidence }) => ({
      ...own[item],
      fdi: row[place],
      confidence: confidence * own[item].certainty,
    }));
  });
}

/** Cells of one tooth agree for the same reasons: taken as independent, they would be far too sure. */
const trust = 0.4;
/** A number that no cell names is improbable, but not impossible. */
const leastShare = 0.003;
/** The median box of a film is about as wide as a tooth of so many mm: films have no scale of their own. */
const usualTooth = 8.2;

const middleOf = ({ box }: VotedTooth): number => (box.left + box.right) / 2;

/**
 * Returns the logarithm of how probable it is that a find is no tooth: more if it stands in another one, less if many
 * cells vote for it.
 */
function costOfDropping(own: readonly VotedTooth[], at: number, usualWidth: number): number {
  const beside = [at - 1, at + 1]
    .filter((index) => index >= 0 && index < own.length)
    .map((index) => Math.abs(middleOf(own[index]) - middleOf(own[at])) / usualWidth);
  const inside = Math.max(0, 1 - Math.min(1, ...beside));
  const usualVotes = middleValue(own.map(({ votes }) => votes));
  return -2.5 + 4 * inside - 2 * Math.min(1.5, own[at].votes / usualVotes);
}

/** Mean widths in mm along the arch, from the midline (Wheeler's tables, rounded). */
const widths = {
  maxilla: [8.5, 6.6, 7.6, 7.1, 6.7, 10.2, 9.6, 8.6],
  mandible: [5.3, 5.8, 6.8, 7, 7.2, 11, 10.5, 10],
  maxillaDeciduous: [6.5, 5.1, 7, 7.3, 8.2],
  mandibleDeciduous: [4.2, 4.1, 5, 7.7, 9.9],
} as const;
const widthOf = (fdi: number): number =>
  widths[isDeciduous(fdi) ? (`${jawOf(fdi)}Deciduous` as const) : jawOf(fdi)][positionInQuadrant(fdi) - 1];

/**
 * Returns the logarithms of how well a distance in mm fits from each place of a row to each later one,
 * `[from * places + to]`.
 */
function rateSteps(row: readonly number[], distance: number): Float64Array {
  const places: number[] = [];
  row.forEach((fdi, at) => places.push(at === 0 ? 0 : places[at - 1] + (widthOf(row[at - 1]) + widthOf(fdi)) / 2));
  const rates = new Float64Array(row.length ** 2).fill(-Infinity);
  for (let from = 0; from < row.length; from++)
    for (let to = from + 1; to < row.length; to++) {
      const full = places[to] - places[from];
      // Teeth drift into gaps: a missing one may leave a third of its place.
      const least = to === from + 1 ? full : full - 0.65 * (full - (widthOf(row[to]) + widthOf(row[from])) / 2);
      const off = Math.max(0, least * 0.85 - distance, distance - full * 1.15);
      rates[from * row.length + to] = -((off / 1.5) ** 2) - 1.3 * (to - from - 1);
    }
  return rates;
}

/** Returns the first of the highest values' places. */
function highestIndex(values: readonly number[]): number {
  let best = 0;
  values.forEach((value, at) => {
    if (value > values[best]) best = at;
  });
  return best;
}

/** Returns the median; of an even count, the mean of the middle two. */
function middleValue(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2;
}
