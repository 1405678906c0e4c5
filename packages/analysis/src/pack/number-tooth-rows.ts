import {
  isDeciduous,
  jawOf,
  lowerDeciduous,
  lowerTeeth,
  positionInQuadrant,
  upperDeciduous,
  upperTeeth,
} from "@arcada/contract/kernel/tooth-numbers";
import type { VotedTooth } from "./find-voted-teeth.ts";

/** A tooth with its number, and the probability of this number among all orders of its row. */
export interface NumberedTooth extends VotedTooth {
  fdi: number;
  confidence: number;
}

const rows = [upperTeeth, lowerTeeth, upperDeciduous, lowerDeciduous];

/**
 * Gives each tooth its number: along a row the numbers follow each other, and the distances fit the teeth between them.
 * @param numbers the FDI numbers of `shares`, in order
 */
export function numberTeeth(teeth: readonly VotedTooth[], numbers: readonly number[]): NumberedTooth[] {
  if (teeth.length === 0) return [];
  const placeOf = new Map(numbers.map((fdi, place) => [fdi, place]));
  const shareOf = (tooth: VotedTooth, fdi: number): number => tooth.shares[placeOf.get(fdi) ?? -1] ?? 0;
  const usualWidth = middleValue(teeth.map(({ box }) => box.right - box.left));
  const rowOf = (tooth: VotedTooth): number =>
    highestIndex(rows.map((row) => row.reduce((sum, fdi) => sum + shareOf(tooth, fdi), 0)));
  const byRow = Map.groupBy(teeth, rowOf);
  return rows.flatMap((row, at) => {
    const own = (byRow.get(at) ?? []).toSorted((a, b) => a.box.left + a.box.right - b.box.left - b.box.right);
    if (own.length === 0) return [];
    const emissions = own.map((tooth) => row.map((fdi) => Math.log(shareOf(tooth, fdi) + leastShare)));
    const steps = own
      .slice(1)
      .map((tooth, before) => rateSteps(row, ((middleOf(tooth) - middleOf(own[before])) * usualTooth) / usualWidth));
    return chooseOrder(emissions, steps).map(({ place, confidence }, index) => ({
      ...own[index],
      fdi: row[place],
      confidence,
    }));
  });
}

/** A number that no cell names is improbable, but not impossible. */
const leastShare = 0.003;
/** The mean width of a permanent tooth, mm: it turns pixels into mm on a film without a scale. */
const usualTooth = 7.6;

const middleOf = ({ box }: VotedTooth): number => (box.left + box.right) / 2;

/** Mean widths in mm along the arch, from the midline (Wheeler's tables, rounded). */
const widths = {
  maxilla: [8.5, 6.6, 7.6, 7.1, 6.7, 10.2, 9.6, 8.6],
  mandible: [5.3, 5.8, 6.8, 7, 7.2, 11, 10.5, 10],
  maxillaDeciduous: [6.5, 5.1, 7, 7.3, 8.2],
  mandibleDeciduous: [4.2, 4.1, 5, 7.7, 9.9],
} as const;
const widthOf = (fdi: number): number =>
  widths[isDeciduous(fdi) ? (`${jawOf(fdi)}Deciduous` as const) : jawOf(fdi)][positionInQuadrant(fdi) - 1];

/** Returns the logarithms of how well a distance in mm fits from each place of a row to each later one. */
function rateSteps(row: readonly number[], distance: number): number[][] {
  const places: number[] = [];
  row.forEach((fdi, at) => places.push(at === 0 ? 0 : places[at - 1] + (widthOf(row[at - 1]) + widthOf(fdi)) / 2));
  return row.map((from, j) =>
    row.map((to, k) => {
      if (k <= j) return -Infinity;
      const full = places[k] - places[j];
      // Teeth drift into gaps: a missing one may leave a third of its place.
      const least = k === j + 1 ? full : full - 0.65 * (full - (widthOf(to) + widthOf(from)) / 2);
      const off = Math.max(0, least * 0.8 - distance, distance - full * 1.25);
      return -((off / 3) ** 2) - 0.35 * (k - j - 1);
    }),
  );
}

/**
 * Returns the most probable place of each tooth, all in rising order, with the probability of that place over all
 * orders; 0 if more teeth were found than the row has places.
 * @param steps `[tooth][from][to]`, one fewer than teeth
 */
function chooseOrder(emissions: number[][], steps: number[][][]): { place: number; confidence: number }[] {
  const places = emissions[0].map((_, place) => place);
  const { best, back } = bestOrders(emissions, steps, places);
  const last = emissions.length - 1;
  const chosen: { place: number; confidence: number }[] = [];
  if (!Number.isFinite(Math.max(...best)))
    return emissions.map((emission) => ({ place: highestIndex(emission), confidence: 0 }));
  const { forward, backward } = sumOrders(emissions, steps, places);
  let place = highestIndex(best);
  for (let at = last; at >= 0; at--) {
    const all = places.map((k) => forward[at][k] + backward[at][k]);
    chosen.unshift({ place, confidence: Math.exp(all[place] - logSum(all)) });
    if (at > 0) place = back[at][place];
  }
  return chosen;
}

function bestOrders(emissions: number[][], steps: number[][][], places: number[]) {
  let best = emissions[0];
  const back: number[][] = [[]];
  for (let at = 1; at < emissions.length; at++) {
    const [before, step] = [best, steps[at - 1]];
    const from = places.map((k) => highestIndex(places.map((j) => before[j] + step[j][k])));
    best = places.map((k) => emissions[at][k] + before[from[k]] + step[from[k]][k]);
    back.push(from);
  }
  return { best, back };
}

/** Returns the logarithms of the summed probabilities of all orders before and after each tooth at each place. */
function sumOrders(emissions: number[][], steps: number[][][], places: number[]) {
  const forward = [emissions[0]];
  for (let at = 1; at < emissions.length; at++) {
    const [before, step] = [forward[at - 1], steps[at - 1]];
    forward.push(places.map((k) => emissions[at][k] + logSum(places.map((j) => before[j] + step[j][k]))));
  }
  const backward = emissions.map(() => places.map(() => 0));
  for (let at = emissions.length - 2; at >= 0; at--) {
    const [after, step] = [places.map((k) => emissions[at + 1][k] + backward[at + 1][k]), steps[at]];
    backward[at] = places.map((j) => logSum(places.map((k) => step[j][k] + after[k])));
  }
  return { forward, backward };
}

function logSum(values: readonly number[]): number {
  const top = Math.max(...values);
  return Number.isFinite(top)
    ? top + Math.log(values.reduce((sum, value) => sum + Math.exp(value - top), 0))
    : -Infinity;
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
