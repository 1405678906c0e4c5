import type { VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Translate } from "../../../i18n/texts.ts";

/** Names the VOI function of a window, if it is not linear. */
export const formatVoiFunction = (t: Translate, { shape }: VoiWindow): string =>
  shape === "sigmoid" || shape === "table" ? `${t(`viewer.shape.${shape}`)}  ` : "";
