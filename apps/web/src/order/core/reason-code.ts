import { translateDynamic } from "../../i18n/texts.ts";
import type { Translate } from "../../i18n/texts.ts";

/** Formats the code of the reason of a transition. Requires the texts `forward`. */
export const formatReasonCode = (t: Translate, action: string, code: string): string =>
  translateDynamic(t, `forward.reason.${action}.${code}`, "");
