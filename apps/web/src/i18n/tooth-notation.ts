import { isDeciduous, quadrantOf, formatTeeth, toothName } from "@arcada/contract/kernel/tooth-numbers";
import { toothSchemes } from "@arcada/contract/kernel/tooth-schemes";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import { changeAppearance, useAppearance } from "../browser/appearance.ts";
import { useTexts } from "./texts.ts";
import { toNonBreakingRanges } from "./non-breaking.ts";

/** The reader's tooth notation. */
export const useToothScheme = (): ToothScheme => useAppearance().teeth;

/** All tooth notations, the reader's own, and a function that changes it on every page. */
export const useToothSchemes = () => ({
  schemes: toothSchemes,
  scheme: useToothScheme(),
  onScheme: (teeth: ToothScheme) => changeAppearance({ teeth }),
});

interface ToothNames {
  /** One tooth: 36, ⎾6, 19. */
  name: (tooth: number) => string;
  /** Several teeth: "11, 35–37". */
  text: (teeth: readonly number[]) => string;
  /** One tooth for a screen reader: the corner sign of the Palmer notation cannot be spoken. */
  spoken: (tooth: number) => string;
}

/** Texts of teeth in the reader's notation. */
export function useToothNames(): ToothNames {
  const t = useTexts();
  const scheme = useToothScheme();
  const name = (tooth: number) => formatTeeth([tooth], scheme);
  const position = (tooth: number) => toothName(tooth, scheme).replace(/[^\dA-E]/g, "");
  return {
    name,
    text: (teeth) => toNonBreakingRanges(formatTeeth(teeth, scheme)),
    spoken: (tooth) =>
      scheme === "palmer"
        ? t(`common.tooth.${isDeciduous(tooth) ? "deciduous" : "permanent"}.${quadrantOf(tooth)}`, {
            place: position(tooth),
          })
        : name(tooth),
  };
}
