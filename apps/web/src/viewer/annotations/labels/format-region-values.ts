import type { RegionShape } from "@arcada/imaging/view/grey-value-statistics";
import { formatNumber } from "../../../i18n/format.ts";
import type { Translate } from "../../../i18n/texts.ts";
import type { Ruler } from "../annotation-kind-types.ts";
import { formatMeasurement } from "./format-measurement.ts";

/** Mean and deviation, range and area of the grey values between two corners, a line each. */
export function formatRegionValues(
  t: Translate,
  ruler: Ruler,
  shape: RegionShape,
  a: readonly number[],
  b: readonly number[],
): string {
  if (!ruler.region) return t("viewer.region.unread");
  const found = ruler.region(shape, a, b);
  if (!found) return t("viewer.region.empty");
  const { mean, deviation, min, max, area } = found;
  return [
    t("viewer.region.mean", { mean: formatNumber(mean, 1), deviation: formatNumber(deviation, 1) }),
    t("viewer.region.range", { min: formatNumber(min, chooseDigits(min)), max: formatNumber(max, chooseDigits(max)) }),
    t("viewer.region.area", { area: formatMeasurement(t, area) }),
    ...(ruler.isHalfResolution ? [t("viewer.region.half")] : []),
  ].join("\n");
}

const chooseDigits = (value: number): number => (Number.isInteger(value) ? 0 : 2);
