import { useEffect, useRef } from "react";
import type { SceneModel } from "../scene-model.ts";
import type { MeshLoad } from "../mesh/use-meshes.ts";
import type { ModelDisplayControls } from "../rendering/use-model-display-settings.ts";
import type { DistanceMap, DistanceMapRequest } from "./use-distance-map.ts";

interface Scene {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  map: DistanceMap;
  displaySettings: ModelDisplayControls;
}

/**
 * Computes the map for which a scene was opened, once everything is loaded; the other model is hidden so that it does
 * not cover the map.
 */
export function useInitialDistanceMap(
  plan: Pick<DistanceMapRequest, "a" | "b"> | undefined,
  { models, loads, map, displaySettings }: Scene,
): void {
  const hasBegun = useRef(false);
  const isLoaded = models.every(({ id }) => {
    const load = loads.get(id);
    return (
      load?.state === "failed" || (load?.state === "ready" && (load.tree !== null || load.treeFault !== undefined))
    );
  });
  useEffect(() => {
    if (!plan || !isLoaded || hasBegun.current) return;
    hasBegun.current = true;
    displaySettings.change(plan.b, { isVisible: false });
    map.start({ kind: "version", ...plan });
  });
}
