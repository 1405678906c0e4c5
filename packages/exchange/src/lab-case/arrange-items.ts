import { allTeeth, archTeethOf } from "@arcada/contract/kernel/tooth-numbers";
import type { ItemKind, Material } from "@arcada/contract/order/prescription.choices";
import type { CaseItem, CaseRemark } from "./lab-case.ts";

/** The work on one tooth, as other programs list it. */
export interface ToothWork {
  tooth: number;
  kind: ItemKind;
  isPontic: boolean;
  material: Material | null;
  shade: CaseItem["shade"];
  /** The other program's word where Arcada has no kind of its own for it. */
  remark: string | null;
}

/**
 * Joins the works on single teeth into items: teeth that are connected become one bridge, equal works on several teeth
 * one item.
 * @param connections pairs of teeth that are joined
 */
export function arrangeItems(
  works: readonly ToothWork[],
  connections: readonly (readonly [number, number])[],
): { items: CaseItem[]; remarks: CaseRemark[] } {
  const bridges = findConnected(
    works.filter(({ kind }) => bridgeKinds.includes(kind)).map(({ tooth }) => tooth),
    connections,
  );
  const inBridge = new Set(bridges.flat());
  const remarks: CaseRemark[] = [];
  const items = bridges.map((teeth) => {
    const members = works.filter(({ tooth, kind }) => teeth.includes(tooth) && bridgeKinds.includes(kind));
    const { item, remark } = toBridge(teeth, members);
    if (remark) remarks.push(remark);
    return item;
  });
  const single = works.filter(({ tooth, kind }) => !inBridge.has(tooth) || !bridgeKinds.includes(kind));
  return { items: [...items, ...joinEqual(single)], remarks };
}

/** Returns the next tooth toward the midline, across it the first of the other side; undefined for an unknown tooth. */
export function mesialNeighbour(tooth: number): number | undefined {
  const arch = archTeethOf(tooth);
  const at = arch.indexOf(tooth);
  return at < 0 ? undefined : arch[at < arch.length / 2 ? at + 1 : at - 1];
}

/** A veneer or an inlay may carry a pontic, too. */
const bridgeKinds: readonly ItemKind[] = ["crown", "pontic", "inlay", "onlay", "veneer", "other"];

const byArch = (one: number, other: number): number => allTeeth.indexOf(one) - allTeeth.indexOf(other);

function findConnected(teeth: readonly number[], connections: readonly (readonly [number, number])[]): number[][] {
  const left = new Set(teeth);
  const groups: number[][] = [];
  for (const start of teeth) {
    if (!left.delete(start)) continue;
    const group = [start];
    for (const tooth of group)
      for (const pair of connections) {
        const next = pair[0] === tooth ? pair[1] : pair[1] === tooth ? pair[0] : undefined;
        if (next !== undefined && left.delete(next)) group.push(next);
      }
    if (group.length > 1) groups.push(group.toSorted(byArch));
  }
  return groups;
}

function toBridge(teeth: number[], members: readonly ToothWork[]): { item: CaseItem; remark: CaseRemark | null } {
  const distinct = [...new Set(members.map(({ material }) => material))].filter((one) => one !== null);
  const shades = [...new Set(members.map(({ shade }) => shade))].filter((one) => one !== null);
  const words = [...new Set(members.flatMap(({ remark }) => (remark === null ? [] : [remark])))];
  const item: CaseItem = {
    teeth,
    kind: "bridge",
    material: distinct[0] ?? null,
    shade: shades[0] ?? null,
    stumpShade: null,
    pontics: members
      .filter(({ isPontic }) => isPontic)
      .map(({ tooth }) => tooth)
      .toSorted(byArch),
    remark: words.length > 0 ? words.join(", ").slice(0, 500) : null,
  };
  const isMixed = distinct.length > 1;
  return { item, remark: isMixed ? { kind: "severalMaterials", teeth, word: distinct.join(", ") } : null };
}

function joinEqual(works: readonly ToothWork[]): CaseItem[] {
  const items = new Map<string, CaseItem>();
  for (const { tooth, kind, material, shade, remark } of works) {
    const key = JSON.stringify([kind, material, shade, remark]);
    const item = items.get(key) ?? { teeth: [], kind, material, shade, stumpShade: null, pontics: [], remark };
    item.teeth = [...item.teeth, tooth].toSorted(byArch);
    items.set(key, item);
  }
  return [...items.values()];
}
