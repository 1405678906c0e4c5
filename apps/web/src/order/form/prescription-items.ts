import type { z } from "zod";
import { allTeeth, archTeethOf } from "@arcada/contract/kernel/tooth-numbers";
import { hasShade, materialsFor } from "@arcada/contract/order/prescription.choices";
import type { prescription } from "@arcada/contract/order/order.calls";

/** One restoration of a prescription. */
export type Item = z.output<typeof prescription>["items"][number];

/** The items of a prescription and the index of the item that the chart edits; -1: none. */
export interface ItemsState {
  items: Item[];
  active: number;
}

/**
 * A click on a tooth selects its item, adds it to the active one, or removes it. In a bridge it becomes a pontic first.
 */
export function clickTooth({ items, active }: ItemsState, tooth: number): ItemsState {
  const owner = items.findIndex(({ teeth }) => teeth.includes(tooth));
  if (owner >= 0 && owner !== active) return { items, active: owner };
  const item = items[active];
  if (!item) return addItem({ items, active }, [tooth]);
  if (owner < 0) {
    const fits =
      item.kind !== "bridge" || item.teeth.length === 0 || item.teeth.some((one) => areNeighbours(one, tooth));
    return fits
      ? replaceItem(items, active, { ...item, teeth: sortTeeth([...item.teeth, tooth]) })
      : addItem({ items, active }, [tooth]);
  }
  if (item.kind === "bridge" && !item.pontics.includes(tooth))
    return replaceItem(items, active, { ...item, pontics: sortTeeth([...item.pontics, tooth]) });
  return removeTooth({ items, active }, tooth);
}

/** A drag across teeth creates a bridge with abutments at its ends, or lengthens the active one. */
export function spanBridge({ items, active }: ItemsState, span: readonly number[]): ItemsState {
  const current = items[active];
  const extendsItem =
    current !== undefined &&
    (current.teeth.length === 0 || (current.kind === "bridge" && current.teeth.some((tooth) => span.includes(tooth))));
  const base = extendsItem ? current : createItem(items);
  const teeth = sortTeeth([...new Set([...base.teeth, ...span])]);
  const inner = teeth.slice(1, -1);
  const bridge: Item = {
    ...base,
    kind: "bridge",
    teeth,
    pontics: inner.filter((tooth) => !base.teeth.includes(tooth) || base.pontics.includes(tooth)),
  };
  const others = items
    .filter((_, at) => !extendsItem || at !== active)
    .map((item) => removeTeeth(item, span))
    .filter(({ teeth: left }) => left.length > 0);
  const at = extendsItem ? Math.min(active, others.length) : others.length;
  return { items: others.toSpliced(at, 0, bridge), active: at };
}

/** Adds an item that copies the last one, because most orders have a single material and shade. */
export function addItem({ items }: ItemsState, teeth: number[] = []): ItemsState {
  return { items: [...items, { ...createItem(items), teeth }], active: items.length };
}

export const removeItem = ({ items, active }: ItemsState, at: number): ItemsState => ({
  items: items.toSpliced(at, 1),
  active: Math.min(active > at ? active - 1 : active, items.length - 2),
});

export const changeItem = ({ items, active }: ItemsState, at: number, change: Partial<Item>): ItemsState => {
  const item = { ...items[at]!, ...change };
  return { ...replaceItem(items, active, item, at) };
};

/**
 * Changes the kind of an item and keeps valid values: only a bridge has pontics, and each kind has its own materials.
 */
export const changeKind = (item: Item, kind: Item["kind"]): Partial<Item> => ({
  kind,
  pontics: kind === "bridge" ? item.pontics : [],
  material: item.material && materialsFor(kind).includes(item.material) ? item.material : null,
  ...(!hasShade(kind) && { shade: null, stumpShade: null }),
});

const createItem = (items: readonly Item[]): Item => ({
  teeth: [],
  kind: "crown",
  material: items.at(-1)?.material ?? null,
  shade: items.at(-1)?.shade ?? null,
  stumpShade: items.at(-1)?.stumpShade ?? null,
  pontics: [],
  remark: null,
});

const replaceItem = (items: Item[], active: number, item: Item, at = active): ItemsState => ({
  items: items.with(at, item),
  active,
});

const removeTeeth = (item: Item, teeth: readonly number[]): Item => ({
  ...item,
  teeth: item.teeth.filter((tooth) => !teeth.includes(tooth)),
  pontics: item.pontics.filter((tooth) => !teeth.includes(tooth)),
});

/**
 * Removes a tooth. An item is removed with its last tooth, unless it is the only one: then its material and shade stay.
 */
function removeTooth(state: ItemsState, tooth: number): ItemsState {
  const item = removeTeeth(state.items[state.active]!, [tooth]);
  if (item.teeth.length === 0 && state.items.length > 1) return removeItem(state, state.active);
  return replaceItem(state.items, state.active, item);
}

const sortTeeth = (teeth: number[]): number[] => teeth.toSorted((a, b) => allTeeth.indexOf(a) - allTeeth.indexOf(b));
const areNeighbours = (a: number, b: number): boolean =>
  archTeethOf(a).includes(b) && Math.abs(archTeethOf(a).indexOf(a) - archTeethOf(a).indexOf(b)) === 1;
