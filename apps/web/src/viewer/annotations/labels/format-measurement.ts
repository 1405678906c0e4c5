import { formatNumber } from "../../../i18n/format.ts";
import type { Translate } from "../../../i18n/texts.ts";
import type { Measurement } from "@arcada/imaging/view/measure-lengths-angles";

/** "12.34 mm", "120 px", "45.2°": no more digits than the measurement's precision justifies. */
export const formatMeasurement = (t: Translate, { value, unit }: Measurement): string =>
  t(`viewer.unit.${unit}`, { value: formatNumber(value, digits[unit]) });

const digits: Record<Measurement["unit"], number> = { mm: 2, mmAlong: 2, px: 0, deg: 1, mm2: 2, px2: 0 };
