import { describe, expect, it } from "vitest";
import { addItem, clickTooth, removeItem, spanBridge } from "./prescription-items.ts";
import type { ItemsState } from "./prescription-items.ts";

const none: ItemsState = { items: [], active: -1 };
const teeth = ({ items }: ItemsState) => items.map((item) => [item.kind, item.teeth, item.pontics]);

describe("marking teeth", () => {
  it("puts clicked teeth into one item, in the order of the arch", () => {
    expect(teeth(clickTooth(clickTooth(none, 21), 11))).toEqual([["crown", [11, 21], []]]);
  });

  it("removes a tooth at the second click, and an item with its last tooth if there are others", () => {
    const two = addItem(clickTooth(none, 11), [36]);
    expect(teeth(clickTooth(two, 36))).toEqual([["crown", [11], []]]);
    const only = clickTooth(clickTooth(none, 11), 11);
    expect(teeth(only)).toEqual([["crown", [], []]]);
  });

  it("selects another item before changing it", () => {
    const two = addItem(clickTooth(none, 11), [36]);
    const chosen = clickTooth(two, 11);
    expect(chosen).toEqual({ items: two.items, active: 0 });
  });

  it("starts a new item for a tooth that a bridge cannot reach, and never spans both arches", () => {
    const bridge = spanBridge(none, [35, 36, 37]);
    expect(teeth(clickTooth(bridge, 38))).toEqual([["bridge", [35, 36, 37, 38], [36]]]);
    expect(teeth(clickTooth(bridge, 11))).toEqual([
      ["bridge", [35, 36, 37], [36]],
      ["crown", [11], []],
    ]);
    expect(teeth(clickTooth(spanBridge(none, [26, 27, 28]), 48))).toHaveLength(2);
  });

  it("turns an abutment into a pontic, then removes it", () => {
    const bridge = spanBridge(none, [35, 36]);
    const pontic = clickTooth(bridge, 36);
    expect(teeth(pontic)).toEqual([["bridge", [35, 36], [36]]]);
    expect(teeth(clickTooth(pontic, 36))).toEqual([["bridge", [35], []]]);
  });
});

describe("dragging a bridge", () => {
  it("makes the teeth at its ends the abutments", () => {
    expect(teeth(spanBridge(none, [14, 13, 12, 11]))).toEqual([["bridge", [14, 13, 12, 11], [13, 12]]]);
  });

  it("takes its teeth from other items and removes those that become empty", () => {
    const crowns = clickTooth(clickTooth(none, 11), 36);
    expect(teeth(spanBridge(addItem(crowns, [21]), [11, 21, 22]))).toEqual([
      ["crown", [36], []],
      ["bridge", [11, 21, 22], [21]],
    ]);
  });

  it("lengthens the active bridge and keeps its abutments", () => {
    const bridge = spanBridge(none, [35, 36, 37]);
    expect(teeth(spanBridge(bridge, [37, 38]))).toEqual([["bridge", [35, 36, 37, 38], [36]]]);
  });
});

it("gives a new item the material and shade of the last", () => {
  const first = clickTooth(none, 11);
  first.items[0] = { ...first.items[0], material: "zirconia", shade: "A2" };
  expect(addItem(first, [21]).items[1]).toMatchObject({ material: "zirconia", shade: "A2", remark: null });
});

it("keeps the chosen item when another is removed", () => {
  const three = addItem(addItem(clickTooth(none, 11), [12]), [13]);
  expect(removeItem({ ...three, active: 2 }, 0)).toMatchObject({ active: 1 });
  expect(removeItem({ ...three, active: 0 }, 2)).toMatchObject({ active: 0 });
  expect(removeItem(clickTooth(none, 11), 0)).toEqual(none);
});
