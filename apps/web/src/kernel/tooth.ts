import { isDeciduous, quadrantOf, teethText, toothName, toothSchemes } from "@arcada/contract/kernel/tooth";
import type { ToothScheme } from "@arcada/contract/kernel/tooth";
import { changeLook, useLook } from "./look.ts";
import { useTexts } from "./texts.ts";
import { unbrokenSpans } from "./unbroken.ts";

/** The scheme in which this reader reads teeth. */
export const useToothScheme = (): ToothScheme => useLook().teeth;

/** The schemes, the reader's own, and how to choose another; it holds on every page. */
export const useToothSchemes = () => ({
  schemes: toothSchemes,
  scheme: useToothScheme(),
  onScheme: (teeth: ToothScheme) => changeLook({ teeth }),
});

interface TeethWords {
  /** One tooth: 36, ⎾6, 19. */
  name: (tooth: number) => string;
  /** Several: "11, 35–37". */
  text: (teeth: readonly number[]) => string;
  /** One tooth for who hears it: a corner is no word. */
  spoken: (tooth: number) => string;
}

/** Teeth in the reader's scheme. */
export function useTeeth(): TeethWords {
  const t = useTexts();
  const scheme = useToothScheme();
  const name = (tooth: number) => teethText([tooth], scheme);
  const place = (tooth: number) => toothName(tooth, scheme).replace(/[^\dA-E]/g, "");
  return {
    name,
    text: (teeth) => unbrokenSpans(teethText(teeth, scheme)),
    spoken: (tooth) =>
      scheme === "palmer"
        ? t(`common.tooth.${isDeciduous(tooth) ? "deciduous" : "permanent"}.${quadrantOf(tooth)}`, {
            place: place(tooth),
          })
        : name(tooth),
  };
}
