/**
 * The choices of a prescription: kinds of work, materials, shades. They are stored as these words and are never
 * removed.
 */
export const materials = [
  "resin",
  "titanium",
  "zirconia",
  "layeredZirconia",
  "pressCeramic",
  "glassCeramic",
  "pmma",
  "metalCeramic",
  "cobaltChrome",
  "preciousMetal",
] as const;
export type Material = (typeof materials)[number];

export const itemKinds = [
  "inlay",
  "onlay",
  "veneer",
  "crown",
  "bridge",
  "pontic",
  "postCore",
  "customAbutment",
  "bar",
  "surgicalGuide",
  "other",
] as const;
export type ItemKind = (typeof itemKinds)[number];
export const restorationKinds = [
  "inlay",
  "onlay",
  "veneer",
  "crown",
  "bridge",
  "pontic",
  "other",
] as const satisfies readonly ItemKind[];
export const implantKinds = [
  "crown",
  "postCore",
  "bridge",
  "customAbutment",
  "bar",
  "surgicalGuide",
  "other",
] as const satisfies readonly ItemKind[];

/** The materials of a kind; a kind that is not listed may be of any material. */
const materialsByKind: Partial<Record<ItemKind, readonly Material[]>> = {
  inlay: ["resin", "zirconia", "layeredZirconia", "pressCeramic", "glassCeramic", "cobaltChrome", "preciousMetal"],
  onlay: ["resin", "zirconia", "layeredZirconia", "pressCeramic", "glassCeramic", "cobaltChrome", "preciousMetal"],
  veneer: ["resin", "layeredZirconia", "pressCeramic", "glassCeramic", "pmma"],
  postCore: ["titanium", "zirconia", "cobaltChrome", "preciousMetal"],
  customAbutment: ["titanium", "zirconia", "layeredZirconia", "cobaltChrome"],
  bar: ["titanium", "zirconia", "cobaltChrome"],
  surgicalGuide: ["resin", "titanium"],
};
export const materialsFor = (kind: ItemKind): readonly Material[] => materialsByKind[kind] ?? materials;
/** Kinds that nobody sees have no shade. */
const kindsWithoutShade: readonly ItemKind[] = ["postCore", "customAbutment", "bar", "surgicalGuide"];
export const hasShade = (kind: ItemKind): boolean => !kindsWithoutShade.includes(kind);

/** Light comes through the work, so that the stump's own colour is seen. */
const translucent: readonly (Material | null)[] = ["pressCeramic", "glassCeramic"];
export const needsStumpShade = ({ kind, material }: { kind: ItemKind; material: Material | null }): boolean =>
  hasShade(kind) && kind !== "pontic" && (kind === "veneer" || translucent.includes(material));

/** Shades as printed on the guides; each is on one guide only. */
export const shadeGuides = {
  vitaClassical: ["A1", "A2", "A3", "A3.5", "A4", "B1", "B2", "B3", "B4", "C1", "C2", "C3", "C4", "D2", "D3", "D4"],
  vita3dMaster: [
    "0M1",
    "0M2",
    "0M3",
    "1M1",
    "1M2",
    "2L1.5",
    "2L2.5",
    "2M1",
    "2M2",
    "2M3",
    "2R1.5",
    "2R2.5",
    "3L1.5",
    "3L2.5",
    "3M1",
    "3M2",
    "3M3",
    "3R1.5",
    "3R2.5",
    "4L1.5",
    "4L2.5",
    "4M1",
    "4M2",
    "4M3",
    "4R1.5",
    "4R2.5",
    "5M1",
    "5M2",
    "5M3",
  ],
} as const;
export type ShadeGuide = keyof typeof shadeGuides;
export const guideNames = Object.keys(shadeGuides) as [ShadeGuide, ...ShadeGuide[]];
export const shades = [...shadeGuides.vitaClassical, ...shadeGuides.vita3dMaster] as const;
/** Shades of a prepared stump: IPS Natural Die, or those of a tooth. */
export const dieShades = ["ND1", "ND2", "ND3", "ND4", "ND5", "ND6", "ND7", "ND8", "ND9"] as const;
export const stumpShades = [...dieShades, ...shades] as const;

export const fixTypes = ["screw", "cement"] as const;
/** The opposing tooth or restoration. */
export const antagonists = ["natural", "restored", "implant", "denture", "none"] as const;
/** The source of the soft-tissue part of the model around an implant. */
export const gingivaSources = ["scanned", "byLab", "none"] as const;
/** N·cm with which the screw is tightened. */
export const torqueRange = { min: 5, max: 60 } as const;
