import type { ItemKind } from "@arcada/contract/order/prescription.choices";

/** A word of exocad for the work on a tooth (`ReconstructionType`), in the words of an Arcada order. */
export interface ExocadWork {
  kind: ItemKind;
  isPontic?: true;
  /** Nearly the same: a person should look at it. The word is kept as the item's remark. */
  isNearly?: true;
}

const crown: ExocadWork = { kind: "crown" };
const nearlyCrown: ExocadWork = { kind: "crown", isNearly: true };
const pontic: ExocadWork = { kind: "pontic", isPontic: true };
const nearlyPontic: ExocadWork = { kind: "pontic", isPontic: true, isNearly: true };

/** By the lower-case word; null: nothing is made for this tooth. */
export const exocadWorks: Readonly<Record<string, ExocadWork | null>> = {
  anatomiccrown: crown,
  coping: nearlyCrown,
  overpresscrown: nearlyCrown,
  provisionalcrown: nearlyCrown,
  anatomicwaxup: nearlyCrown,
  reducedwaxup: nearlyCrown,
  anatomicpontic: pontic,
  reducedpontic: nearlyPontic,
  overpresspontic: nearlyPontic,
  provisionalpontic: nearlyPontic,
  waxuppontic: nearlyPontic,
  anatomicinlay: { kind: "inlay" },
  offsetinlay: { kind: "inlay", isNearly: true },
  veneer: { kind: "veneer" },
  barpillar: { kind: "bar" },
  barsegment: { kind: "bar" },
  healthytooth: null,
  missingtooth: null,
  antagonist: null,
  none: null,
};

/** The word that exocad reads back for a kind of Arcada; kinds without one go into the notes. */
export const exocadWordFor: Partial<Record<ItemKind, string>> = {
  crown: "AnatomicCrown",
  pontic: "AnatomicPontic",
  inlay: "AnatomicInlay",
  onlay: "AnatomicInlay",
  veneer: "Veneer",
};
