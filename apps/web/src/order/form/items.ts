import { allTeeth, rowOf } from "@arcada/contract/kernel/tooth";
import { hasShade, materialsFor } from "@arcada/contract/order/order.choices";
import type { Item } from "./draft.ts";

/** The items of a prescription and the index of the item that the chart edits; -1: none. */
export interface Items {
  items: Item[];
  active: number;
}

/**
 * A click on a tooth selects its item, adds it to the active one, or removes it. In a bridge it becomes a pontic first.
 */
export function clickTooth({ items, active }: Items, tooth: number): Items {
  const owner = items.findIndex(({ teeth }) => teeth.includes(tooth));
  if (owner >= 0 && owner !== active) return { items, active: owner };
  const item = items[active];
  if (!item) return addItem({ items, active }, [tooth]);
  if (owner < 0) {
    const fits =
      item.kind !== "bridge" || item.teeth.length === 0 || item.teeth.some((one) => areNeighbours(one, tooth));
    return fits
      ? put(items, active, { ...item, teeth: sorted([...item.teeth, tooth]) })
      : addItem({ items, active }, [tooth]);
  }
  if (item.kind === "bridge" && !item.pontics.includes(tooth))
    return put(items, active, { ...item, pontics: sorted([...item.pontics, tooth]) });
  return takeOut({ items, active }, tooth);
}

/** A drag across teeth creates a bridge with abutments at its ends, or lengthens the active one. */
export function spanBridge({ items, active }: Items, span: readonly number[]): Items {
  const current = items[active];
  const grows =
    current !== undefined &&
    (current.teeth.length === 0 || (current.kind === "bridge" && current.teeth.some((tooth) => span.includes(tooth))));
  const base = grows ? current : newItem(items);
  const teeth = sorted([...new Set([...base.teeth, ...span])]);
  const inner = teeth.slice(1, -1);
  const bridge: Item = {
    ...base,
    kind: "bridge",
    teeth,
    pontics: inner.filter((tooth) => !base.teeth.includes(tooth) || base.pontics.includes(tooth)),
  };
  const others = items
    .filter((_, at) => !grows || at !== active)
    .map((item) => without(item, span))
    .filter(({ teeth: left }) => left.length > 0);
  const at = grows ? Math.min(active, others.length) : others.length;
  return { items: others.toSpliced(at, 0, bridge), active: at };
}

/** Adds an item that copies the last one, because most orders have a single material and shade. */
export function addItem({ items }: Items, teeth: number[] = []): Items {
  return { items: [...items, { ...newItem(items), teeth }], active: items.length };
}

export const removeItem = ({ items, active }: Items, at: number): Items => ({
  items: items.toSpliced(at, 1),
  active: Math.min(active > at ? active - 1 : active, items.length - 2),
});

export const changeItem = ({ items, active }: Items, at: number, change: Partial<Item>): Items => {
  const item = { ...items[at]!, ...change };
  return { ...put(items, active, item, at) };
};

/**
 * Changes the kind of an item and keeps valid values: only a bridge has pontics, and each kind has its own materials.
 */
export const ofKind = (item: Item, kind: Item["kind"]): Partial<Item> => ({
  kind,
  pontics: kind === "bridge" ? item.pontics : [],
  material: item.material && materialsFor(kind).includes(item.material) ? item.material : null,
  ...(!hasShade(kind) && { shade: null, stumpShade: null }),
});

const newItem = (items: readonly Item[]): Item => ({
  teeth: [],
  kind: "crown",
  material: items.at(-1)?.material ?? null,
  shade: items.at(-1)?.shade ?? null,
  stumpShade: items.at(-1)?.stumpShade ?? null,
  pontics: [],
  remark: null,
});

const put = (items: Item[], active: number, item: Item, at = active): Items => ({
  items: items.with(at, item),
  active,
});

const without = (item: Item, teeth: readonly number[]): Item => ({
  ...item,
  teeth: item.teeth.filter((tooth) => !teeth.includes(tooth)),
  pontics: item.pontics.filter((tooth) => !teeth.includes(tooth)),
});

/**
 * Removes a tooth. An item is removed with its last tooth, unless it is the only one: then its material and shade stay.
 */
function takeOut(state: Items, tooth: number): Items {
  const item = without(state.items[state.active]!, [tooth]);
  if (item.teeth.length === 0 && state.items.length > 1) return removeItem(state, state.active);
  return put(state.items, state.active, item);
}

const sorted = (teeth: number[]): number[] => teeth.toSorted((a, b) => allTeeth.indexOf(a) - allTeeth.indexOf(b));
const areNeighbours = (a: number, b: number): boolean =>
  rowOf(a).includes(b) && Math.abs(rowOf(a).indexOf(a) - rowOf(a).indexOf(b)) === 1;
