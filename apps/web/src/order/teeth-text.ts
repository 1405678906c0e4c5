import type { OrderRow } from "@arcada/contract/order/order.calls";
import { permanentTeeth } from "@arcada/contract/order/order.rules";

/** Teeth in the order of the arches: "11, 21, 35–37". Neighbours in one arch become a span from three on. */
export function teethText(teeth: readonly number[]): string {
  const places = [...new Set(teeth)].map((tooth) => permanentTeeth.indexOf(tooth)).toSorted((a, b) => a - b);
  return runsOf(places)
    .map((run) => run.map((place) => permanentTeeth[place]))
    .map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", ")))
    .join(", ");
}

export const workText = (t: (key: string) => string, order: Pick<OrderRow, "caseType" | "teeth">): string =>
  [t(`order.caseType.${order.caseType}`), teethText(order.teeth)].filter(Boolean).join(" · ");

const archLength = 16;
function runsOf(places: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run && place === run.at(-1)! + 1 && place % archLength !== 0) run.push(place);
    else runs.push([place]);
  }
  return runs;
}
