import type { VoiWindow } from "../image/voi-window.ts";

interface RescaleParameters {
  valueScale: number;
  valueOffset: number;
}

/** The grey value that is stored as this number, without the digits that are only noise of the arithmetic. */
export const rescaleValue = ({ valueScale, valueOffset }: RescaleParameters, stored: number): number =>
  valueScale === 1 ? stored + valueOffset : Number((stored * valueScale + valueOffset).toPrecision(9));

/** A window's centre and width in grey values, rounded for reading. */
export function rescaleWindow(
  parameters: RescaleParameters,
  { center, width }: VoiWindow,
): { center: number; width: number } {
  const roundForReading = (value: number) =>
    parameters.valueScale === 1 ? Math.round(value) : Number(value.toPrecision(4));
  return {
    center: roundForReading(center * parameters.valueScale + parameters.valueOffset),
    width: roundForReading(width * parameters.valueScale),
  };
}
