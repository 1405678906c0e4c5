import type { RegionShape } from "@arcada/imaging/view/grey-values";
import { showNumber } from "../../kernel/format.ts";
import type { Translate } from "../../kernel/texts.ts";
import type { Ruler } from "./kind.ts";
import { measuredText } from "./measured-text.ts";

/** Mean and deviation, range and area of the grey values between two corners, a line each. */
export function regionText(
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
    t("viewer.region.mean", { mean: showNumber(mean, 1), deviation: showNumber(deviation, 1) }),
    t("viewer.region.range", { min: showNumber(min, digitsOf(min)), max: showNumber(max, digitsOf(max)) }),
    t("viewer.region.area", { area: measuredText(t, area) }),
    ...(ruler.isHalf ? [t("viewer.region.half")] : []),
  ].join("\n");
}

const digitsOf = (value: number): number => (Number.isInteger(value) ? 0 : 2);
