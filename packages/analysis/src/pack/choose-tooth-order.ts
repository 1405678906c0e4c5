/** Items in a line, some of which take rising places; all values are logarithms of probabilities. */
export interface OrderQuestion {
  /** The number of places. */
  places: number;
  /** `[item][place]`: how probable the item's own evidence makes each place. */
  evidence: readonly (readonly number[])[];
  /** `[item]`: how probable it is that the item has no place at all. */
  dropping: readonly number[];
  /** Returns how well each place of one item goes with each place of a later one, `[from * places + to]`. */
  rateSteps: (from: number, to: number) => Float64Array;
}

/** An item with its place, and the probability of this place over all orders. */
export interface OrderedItem {
  item: number;
  place: number;
  confidence: number;
}

/** Returns the most probable order, in which at least one item has a place. */
export function chooseOrder(question: OrderQuestion): OrderedItem[] {
  const { places, evidence, dropping } = question;
  const count = evidence.length;
  const dropped = [0];
  dropping.forEach((cost, item) => dropped.push(dropped[item] + cost));
  const steps = rateAllSteps(question, dropped);
  const after = (item: number): number => dropped[count] - dropped[item + 1];
  const { best, back, forward } = goForward(question, steps, dropped);
  const backward = goBackward(question, steps, after);
  const all = logSum([...forward.flatMap((row, item) => row.map((value) => value + after(item))), dropped[count]]);
  let at = 0;
  best.forEach((row, item) =>
    row.forEach((value, place) => {
      const [bestItem, bestPlace] = [Math.floor(at / places), at % places];
      if (value + after(item) > best[bestItem][bestPlace] + after(bestItem)) at = item * places + place;
    }),
  );
  const chosen: OrderedItem[] = [];
  while (at >= 0) {
    const [item, place] = [Math.floor(at / places), at % places];
    const confidence = Math.exp(forward[item][place] + backward[item][place] - all);
    chosen.unshift({ item, place, confidence });
    at = back[item][place];
  }
  return chosen;
}

/** `[to][from]`: the rates of each step, and of dropping what lies between. */
type Steps = readonly (readonly Float64Array[])[];

const rateAllSteps = ({ evidence, rateSteps }: OrderQuestion, dropped: readonly number[]): Steps =>
  evidence.map((_, to) =>
    Array.from({ length: to }, (_from, from) =>
      rateSteps(from, to).map((rate) => rate + dropped[to] - dropped[from + 1]),
    ),
  );

/** Returns the best and the summed ways to each place of each item, and where the best one comes from; -1: it begins. */
function goForward({ places, evidence }: OrderQuestion, steps: Steps, dropped: readonly number[]) {
  const [best, back, forward]: [number[][], number[][], number[][]] = [[], [], []];
  evidence.forEach((own, to) => {
    const [bestRow, backRow, sums]: [number[], number[], number[]] = [[], [], []];
    for (let place = 0; place < places; place++) {
      const ways = [dropped[to]];
      let [most, from] = [dropped[to], -1];
      steps[to].forEach((rates, item) => {
        for (let before = 0; before < place; before++) {
          const rate = rates[before * places + place];
          ways.push(forward[item][before] + rate);
          if (best[item][before] + rate > most) [most, from] = [best[item][before] + rate, item * places + before];
        }
      });
      bestRow.push(own[place] + most);
      backRow.push(from);
      sums.push(own[place] + logSum(ways));
    }
    best.push(bestRow);
    back.push(backRow);
    forward.push(sums);
  });
  return { best, back, forward };
}

/** Returns the summed ways from each place of each item to the end of the line. */
function goBackward({ places, evidence }: OrderQuestion, steps: Steps, after: (item: number) => number): number[][] {
  const backward: number[][] = evidence.map(() => []);
  for (let from = evidence.length - 1; from >= 0; from--)
    for (let place = 0; place < places; place++) {
      const ways = [after(from)];
      for (let to = from + 1; to < evidence.length; to++)
        for (let next = place + 1; next < places; next++)
          ways.push(steps[to][from][place * places + next] + evidence[to][next] + backward[to][next]);
      backward[from].push(logSum(ways));
    }
  return backward;
}

/** Returns the logarithm of the sum of what these are the logarithms of. */
function logSum(values: readonly number[]): number {
  let top = -Infinity;
  for (const value of values) top = Math.max(top, value);
  if (top === -Infinity) return top;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - top);
  return top + Math.log(sum);
}
