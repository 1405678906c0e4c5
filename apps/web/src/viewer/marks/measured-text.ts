import { showNumber } from "../../kernel/format.ts";
import type { Translate } from "../../kernel/texts.ts";
import type { Measured } from "@arcada/imaging/view/measure";

/** "12.34 mm", "120 px", "45.2°": no more digits than the measurement's precision justifies. */
export const measuredText = (t: Translate, { value, unit }: Measured): string =>
  t(`viewer.unit.${unit}`, { value: showNumber(value, digits[unit]) });

const digits: Record<Measured["unit"], number> = { mm: 2, mmAlong: 2, px: 0, deg: 1, mm2: 2, px2: 0 };
