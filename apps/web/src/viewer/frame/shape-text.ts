import type { Window } from "@arcada/imaging/picture/window";
import type { Translate } from "../../kernel/texts.ts";

/** How brightness rises within a window, where that is not evenly. */
export const shapeText = (t: Translate, { shape }: Window): string =>
  shape === "sigmoid" || shape === "table" ? `${t(`viewer.shape.${shape}`)}  ` : "";
