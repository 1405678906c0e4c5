import type { Window } from "@arcada/imaging/picture/window";
import type { Translate } from "../../kernel/texts.ts";

/** Names the VOI function of a window, if it is not linear. */
export const shapeText = (t: Translate, { shape }: Window): string =>
  shape === "sigmoid" || shape === "table" ? `${t(`viewer.shape.${shape}`)}  ` : "";
