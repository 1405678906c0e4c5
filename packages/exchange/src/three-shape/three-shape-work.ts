import type { ItemKind } from "@arcada/contract/order/prescription.choices";

/** A class of 3Shape (`CacheToothTypeClass`) in the words of an Arcada order. */
export interface ThreeShapeWork {
  kind: ItemKind;
  isPontic?: true;
  isScrewRetained?: true;
  /** Nearly the same: a person should look at it. */
  isNearly?: true;
}

const nearlyCrown: ThreeShapeWork = { kind: "crown", isNearly: true };

/** By the lower-case word; null: nothing is ordered for this tooth. */
export const threeShapeWorks: Readonly<Record<string, ThreeShapeWork | null>> = {
  tecrown: { kind: "crown" },
  tecoping: nearlyCrown,
  teanatomicalcoping: nearlyCrown,
  tetemporarycrown: nearlyCrown,
  teprovisional: nearlyCrown,
  tescrewretained: { kind: "crown", isScrewRetained: true },
  tescrewretainedcrown: { kind: "crown", isScrewRetained: true },
  teinlay: { kind: "inlay" },
  teonlay: { kind: "onlay" },
  teveneer: { kind: "veneer" },
  teabutment: { kind: "customAbutment" },
  teabutmentwaxup: { kind: "customAbutment", isNearly: true },
  tebar: { kind: "bar" },
  tebarsegment: { kind: "bar" },
  tepostandcore: { kind: "postCore" },
  teantagonist: null,
  teadjacent: null,
  tehealthy: null,
  temissing: null,
  tenone: null,
};
