import { isDeciduous } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import { drawTeeth } from "../../domain/draw-tooth-chart.ts";
import type { ToothAppearance, ToothPosition } from "../../domain/draw-tooth-chart.ts";
import type { PdfShape } from "../../platform/pdf/pdf-blocks.ts";

/** The work on some teeth. */
export interface ChartItem {
  teeth: readonly number[];
  pontics: readonly number[];
  isBridge: boolean;
}
export const chartColours = ["#1971c2", "#0b7f63", "#862e9c", "#d9480f", "#4263eb", "#c2255c"] as const;
const tints = ["#d0ebff", "#c3fae8", "#f3d9fa", "#ffe8cc", "#dbe4ff", "#ffdeeb"] as const;

/** The teeth in their rows with what each gets; rows of milk teeth where one of them is marked. */
export const toothChart = (
  items: readonly ChartItem[],
  scheme: ToothScheme,
): { width: number; height: number; shapes: PdfShape[] } =>
  drawTeeth({
    scheme,
    hasDeciduous: items.some(({ teeth }) => teeth.some(isDeciduous)),
    appearance: (tooth) => toothAppearance(tooth, items),
    over: (places, edge, isUpper) => bridgeBars(places, items, isUpper ? edge - 11 : edge + 11),
  });

function toothAppearance(tooth: number, items: readonly ChartItem[]): ToothAppearance {
  const at = items.findIndex(({ teeth }) => teeth.includes(tooth));
  if (at < 0) return { fill: "#ffffff", stroke: "#adb5bd", line: 0.7 };
  const colour = at % chartColours.length;
  const stroke = chartColours[colour]!;
  // A pontic has nothing under it: hollow.
  return items[at]!.pontics.includes(tooth)
    ? { fill: "#ffffff", stroke, line: 1.2, dash: 2.4, strong: true }
    : { fill: tints[colour]!, stroke, line: 1.2, strong: true };
}

/** The bars that join the teeth of a bridge. */
const bridgeBars = (places: readonly ToothPosition[], items: readonly ChartItem[], y: number): PdfShape[] =>
  items.flatMap(({ teeth, isBridge }, at) =>
    places.flatMap(({ tooth, x }, place): PdfShape[] => {
      const next = places[place + 1];
      if (!isBridge || !next || !teeth.includes(tooth) || !teeth.includes(next.tooth)) return [];
      return [{ path: `M${x} ${y}H${next.x}`, stroke: chartColours[at % chartColours.length]!, line: 2.6 }];
    }),
  );
