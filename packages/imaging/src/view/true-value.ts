import type { Window } from "../picture/window.ts";

interface Scaled {
  valueScale: number;
  valueOffset: number;
}

/** The grey value that is stored as this number, without the digits that are only noise of the arithmetic. */
export const trueValue = ({ valueScale, valueOffset }: Scaled, stored: number): number =>
  valueScale === 1 ? stored + valueOffset : Number((stored * valueScale + valueOffset).toPrecision(9));

/** A window's centre and width in grey values, rounded for reading. */
export function trueWindow(scaled: Scaled, { center, width }: Window): { center: number; width: number } {
  const read = (value: number) => (scaled.valueScale === 1 ? Math.round(value) : Number(value.toPrecision(4)));
  return { center: read(center * scaled.valueScale + scaled.valueOffset), width: read(width * scaled.valueScale) };
}
