import { formatNumber } from "../../../../i18n/format.ts";
import type { Translate } from "../../../../i18n/texts.ts";
import type { Implant } from "./implant-plan.ts";

export const formatImplantName = (
  t: Translate,
  { body, length }: Pick<Implant, "body" | "length">,
  number: number,
): string =>
  t("viewer.arch.implant.name", {
    number,
    diameter: formatNumber(body.shoulder * 2, 2),
    length: formatNumber(length, 1),
  });
