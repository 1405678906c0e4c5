import { useMemo, useState } from "react";
import type { MeshTree } from "./load-mesh.worker.ts";
import { SurfaceTree } from "./surface-tree.ts";
import { getDrawnMesh, type MeshLoad } from "./use-meshes.ts";

/** Returns the search trees of the models whose trees are built. */
export function useSurfaceTrees(loads: ReadonlyMap<string, MeshLoad>): ReadonlyMap<string, SurfaceTree> {
  const [known] = useState(() => new WeakMap<MeshTree, SurfaceTree>());
  return useMemo(() => {
    const surfaces = new Map<string, SurfaceTree>();
    for (const [id, load] of loads) {
      if (load.state !== "ready" || !load.tree) continue;
      const { mesh, tree } = load;
      const surface =
        known.get(tree) ?? new SurfaceTree({ positions: mesh.positions, indices: tree.indices }, tree.bvh);
      known.set(tree, surface);
      surfaces.set(id, surface);
    }
    return surfaces;
  }, [loads, known]);
}

/** Returns the models that are drawn although their search trees are not built. */
export const findModelsWithoutTree = (loads: ReadonlyMap<string, MeshLoad>): ReadonlySet<string> =>
  new Set(
    [...loads].flatMap(([id, load]) => (getDrawnMesh(load) && !(load.state === "ready" && load.tree) ? [id] : [])),
  );
