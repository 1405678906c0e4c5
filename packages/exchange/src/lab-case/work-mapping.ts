import { z } from "zod";
import { hasShade, itemKinds, materials, materialsFor, shades } from "@arcada/contract/order/prescription.choices";
import type { ItemKind, Material } from "@arcada/contract/order/prescription.choices";
import type { CaseRemark } from "./lab-case.ts";

type Shade = (typeof shades)[number];

const word = z.string().trim().toLowerCase().min(1).max(80);
const table = <T extends z.ZodType>(value: T) =>
  z
    .record(word, value.nullable())
    .refine((record) => Object.keys(record).length <= 200)
    .default({});

/**
 * The words of one laboratory for kinds of work, materials and shades, written in any case. They come before the tables
 * of the programs; null means that the word stands for nothing that is ordered.
 */
export const workMapping = z.object({
  kinds: table(z.enum(itemKinds)),
  materials: table(z.enum(materials)),
  shades: table(z.enum(shades)),
});
export type WorkMapping = z.output<typeof workMapping>;
export const noMapping: WorkMapping = { kinds: {}, materials: {}, shades: {} };

/** Codes of exocad's usual material configurations; a laboratory's list may differ. */
const materialCodes: Record<string, Material> = {
  zi: "zirconia",
  ziht: "zirconia",
  mlzi: "zirconia",
  gcer: "glassCeramic",
  ls1: "glassCeramic",
  ls2: "glassCeramic",
  fs: "glassCeramic",
  pmma: "pmma",
  temp: "pmma",
  tryin: "pmma",
  rc: "resin",
  peek: "resin",
  ti: "titanium",
  np: "cobaltChrome",
  au: "preciousMetal",
};

/** Parts of a material's name, all of which occur in it; the first row that fits decides. */
const materialWords: readonly [parts: readonly string[], material: Material][] = [
  [["pfm"], "metalCeramic"],
  [["metal", "ceramic"], "metalCeramic"],
  [["烤瓷"], "metalCeramic"],
  [["cocr"], "cobaltChrome"],
  [["co-cr"], "cobaltChrome"],
  [["cobalt"], "cobaltChrome"],
  [["non", "precious"], "cobaltChrome"],
  [["钴铬"], "cobaltChrome"],
  [["layer", "zirc"], "layeredZirconia"],
  [["zirc"], "zirconia"],
  [["zirkon"], "zirconia"],
  [["zro2"], "zirconia"],
  [["氧化锆"], "zirconia"],
  [["press"], "pressCeramic"],
  [["铸瓷"], "pressCeramic"],
  [["e.max"], "glassCeramic"],
  [["emax"], "glassCeramic"],
  [["disilicate"], "glassCeramic"],
  [["feldspat"], "glassCeramic"],
  [["glass", "ceramic"], "glassCeramic"],
  [["玻璃陶瓷"], "glassCeramic"],
  [["pmma"], "pmma"],
  [["temp"], "pmma"],
  [["titan"], "titanium"],
  [["钛"], "titanium"],
  [["gold"], "preciousMetal"],
  [["precious"], "preciousMetal"],
  [["贵金属"], "preciousMetal"],
  [["composite"], "resin"],
  [["resin"], "resin"],
  [["peek"], "resin"],
  [["树脂"], "resin"],
];
/** Values that stand for no material. */
const noMaterial = new Set(["", "none", "wax", "healthy", "---"]);

/**
 * Returns the material of the first word that is known: a code, or the name that a laboratory gave it.
 * @param words codes and names, the most exact first
 */
export function findMaterial(words: readonly (string | null)[], { materials: own }: WorkMapping): Material | null {
  const lower = words.flatMap((one) => (one === null ? [] : [one.trim().toLowerCase()]));
  for (const one of lower) if (Object.hasOwn(own, one)) return own[one]!;
  for (const one of lower) if (Object.hasOwn(materialCodes, one)) return materialCodes[one]!;
  for (const one of lower) {
    const found = materialWords.find(([parts]) => parts.every((part) => one.includes(part)));
    if (found) return found[1];
  }
  return null;
}

/** Returns the material that the kind of work may have; says what was dropped. */
export function mapMaterial(
  kind: ItemKind,
  words: readonly (string | null)[],
  mapping: WorkMapping,
): { material: Material | null; remark: Omit<CaseRemark, "teeth"> | null } {
  const named = words.filter((one) => one !== null && !noMaterial.has(one.trim().toLowerCase()));
  const shown = named.at(-1) ?? null;
  const material = findMaterial(words, mapping);
  if (material === null) return { material, remark: shown === null ? null : { kind: "unknownMaterial", word: shown } };
  if (materialsFor(kind).includes(material)) return { material, remark: null };
  return { material: null, remark: { kind: "materialNotForWork", word: shown } };
}

const shadesByWord = new Map<string, Shade>(shades.map((one) => [one.toLowerCase(), one]));

/** Returns the shade that a word of a guide means: "VCL:A2" and "a2" are A2; "---" is none. */
export function mapShade(
  kind: ItemKind,
  written: string | null,
  { shades: own }: WorkMapping,
): { shade: Shade | null; remark: Omit<CaseRemark, "teeth"> | null } {
  const text = (written ?? "").trim();
  if (text === "" || /^-+$/.test(text) || text.toLowerCase() === "none") return { shade: null, remark: null };
  const lower = text.toLowerCase();
  const plain = lower.slice(lower.indexOf(":") + 1).trim();
  const shade = Object.hasOwn(own, lower) ? own[lower]! : (shadesByWord.get(plain) ?? null);
  if (shade === null) return { shade, remark: Object.hasOwn(own, lower) ? null : { kind: "unknownShade", word: text } };
  return hasShade(kind) ? { shade, remark: null } : { shade: null, remark: { kind: "shadeWithoutUse", word: text } };
}
