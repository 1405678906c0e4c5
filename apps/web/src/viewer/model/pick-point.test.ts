import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { present } from "@arcada/testing/require-present";
import { expect, it } from "vitest";
import { SurfaceTree } from "./mesh/surface-tree.ts";
import { isOccluded, pickPoint, type PickableScene } from "./pick-point.ts";
import { findModelsWithoutTree } from "./mesh/use-surface-trees.ts";
import type { MeshLoad } from "./mesh/use-meshes.ts";

/** Two balls in a row: `front` hides `back` from an eye on the z axis. */
function createScene(withoutTree: readonly string[], hidden: readonly string[] = []): PickableScene {
  const centres = { front: 20, back: -20 };
  const surfaces = Object.entries(centres).map(([id, z]): [string, SurfaceTree] => {
    const { positions, indices } = createSphereMesh([0, 0, z], 5, 16);
    return [id, new SurfaceTree({ positions, indices: present(indices) })];
  });
  const look = { colour: "#fff", line: "#fff", opacity: 1, ownColours: false };
  return {
    camera: { right: [1, 0, 0], up: [0, 1, 0], eye: [0, 0, 1], target: [0, 0, 0], scale: 10, hasPerspective: false },
    size: { width: 400, height: 400 },
    surfaces: new Map(surfaces.filter(([id]) => !withoutTree.includes(id))),
    withoutTree: new Set(withoutTree),
    displaySettings: new Map(Object.keys(centres).map((id) => [id, { ...look, isVisible: !hidden.includes(id) }])),
    poses: new Map(),
    section: null,
  };
}
const pickMiddle = (scene: PickableScene) => pickPoint(scene, [200, 200])?.id ?? null;

it("hits nothing while a visible model has no tree, rather than the model behind it", () => {
  expect(pickMiddle(createScene([]))).toBe("front");
  expect(pickMiddle(createScene(["front"]))).toBeNull();
  expect(pickMiddle(createScene(["front"], ["front"]))).toBe("back");
});

it("takes a point for hidden only by a surface that has a tree", () => {
  expect(isOccluded(createScene([]), [0, 0, -15])).toBe(true);
  expect(isOccluded(createScene(["front"]), [0, 0, -15])).toBe(false);
  expect(isOccluded(createScene(["back"]), [0, 0, -15])).toBe(true);
});

it("counts a model as drawn without a tree from its surface on until its tree is there", () => {
  const mesh = {} as Extract<MeshLoad, { state: "ready" }>["mesh"];
  const tree = {} as NonNullable<Extract<MeshLoad, { state: "ready" }>["tree"]>;
  const loads: [string, MeshLoad][] = [
    ["loading", { state: "loading", came: 1 }],
    ["drawn", { state: "ready", mesh, tree: null }],
    ["failed", { state: "failed", reason: "damaged" }],
    ["complete", { state: "ready", mesh, tree }],
  ];
  expect([...findModelsWithoutTree(new Map(loads))]).toEqual(["drawn"]);
});
