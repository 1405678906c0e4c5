import type { LabWord } from "@arcada/contract/order/lab-program.calls";
import type { ItemKind, Material, shades } from "@arcada/contract/order/prescription.choices";
import type { WorkMapping } from "./work-mapping.ts";

/** The words that are written for the choices of an order, where a laboratory has its own. */
export interface ProgramWords {
  kinds: Partial<Record<ItemKind, string>>;
  materials: Partial<Record<Material, { code: string | null; name: string }>>;
  shades: Partial<Record<(typeof shades)[number], string>>;
}
export const noProgramWords: ProgramWords = { kinds: {}, materials: {}, shades: {} };

/**
 * Returns the mapping by which a case is read. The name of a material counts before its code: several materials of a
 * laboratory often share a code, and then the code alone says nothing.
 */
export function toWorkMapping(words: readonly LabWord[]): WorkMapping {
  const mapping: WorkMapping = { kinds: {}, materials: {}, shades: {} };
  const codes = new Map<string, Set<Material | null>>();
  for (const one of words) {
    const key = one.word.toLowerCase();
    if (one.list === "kinds") mapping.kinds[key] ??= one.means;
    else if (one.list === "shades") mapping.shades[key] ??= one.means;
    else {
      mapping.materials[key] ??= one.means;
      if (one.code) codes.set(one.code.toLowerCase(), (codes.get(one.code.toLowerCase()) ?? new Set()).add(one.means));
    }
  }
  for (const [code, meanings] of codes)
    if (meanings.size === 1 && !Object.hasOwn(mapping.materials, code)) mapping.materials[code] = [...meanings][0]!;
  return mapping;
}

/** Returns the words by which an exocad project is written: the first that a laboratory lists for each choice. */
export function toProgramWords(words: readonly LabWord[]): ProgramWords {
  const found: ProgramWords = { kinds: {}, materials: {}, shades: {} };
  for (const one of words) {
    if (one.means === null) continue;
    if (one.list === "kinds") {
      if (!isThreeShapeWord(one.word)) found.kinds[one.means] ??= one.word;
    } else if (one.list === "shades") found.shades[one.means] ??= one.word;
    else found.materials[one.means] ??= { code: one.code, name: one.word };
  }
  return found;
}

/** teCrown, meSplint …: words that exocad would not know. */
const isThreeShapeWord = (word: string): boolean => /^[tm]e[A-Z]/.test(word);
