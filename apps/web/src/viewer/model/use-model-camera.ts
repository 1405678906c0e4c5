import { useState } from "react";
import {
  fittedModel,
  movedModel,
  orbited,
  rolled,
  viewCamera,
  zoomedModel,
  type Box,
  type ModelCamera,
  type ViewName,
} from "@arcada/imaging/view/model-camera";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { ReadyMesh } from "./mesh.worker.ts";
import type { SceneModel } from "./scene-model.ts";
import type { MeshLoad } from "./use-meshes.ts";

export interface ModelControls {
  /** Null until the first model has arrived. */
  camera: ModelCamera | null;
  /** The named view, as long as nobody has turned the model out of it. */
  view: ViewName | null;
  look: (view: ViewName) => void;
  orbit: (by: Spot) => void;
  roll: (angle: number) => void;
  pan: (by: Spot) => void;
  zoom: (factor: number, at?: Spot, by?: Spot) => void;
  fit: () => void;
}

/** The camera of a scene. Until somebody moves it, it follows what arrives so that everything is seen. */
export function useModelCamera(
  models: readonly SceneModel[],
  loads: ReadonlyMap<string, MeshLoad>,
  size: Size | null,
): ModelControls {
  const [given, setGiven] = useState<ModelCamera | null>(null);
  const [view, setView] = useState<ViewName | null>("front");
  const ready = models.flatMap((model) => {
    const load = loads.get(model.id);
    return load?.state === "ready" ? [{ model, mesh: load.mesh }] : [];
  });
  const box = boxAround(ready.map(({ mesh }) => mesh));
  const first = ready[0];
  const named = (name: ViewName) => first && size && viewCamera(name, first.mesh.frame, first.model.jaw, box, size);
  const camera = given ?? named(view ?? "front") ?? null;
  const alter = (change: (camera: ModelCamera, pane: Size) => ModelCamera, leavesView: boolean) => {
    if (!camera || !size) return;
    setGiven((now) => change(now ?? camera, size));
    if (leavesView) setView(null);
  };
  return {
    camera,
    view,
    look: (name) => {
      setView(name);
      setGiven(null);
    },
    orbit: (by) => alter((now, pane) => orbited(now, by, pane), true),
    roll: (angle) => alter((now) => rolled(now, angle), true),
    pan: (by) => alter((now) => movedModel(now, by), false),
    zoom: (factor, at, by) =>
      alter((now, pane) => {
        const zoomed = zoomedModel(now, pane, at ?? [pane.width / 2, pane.height / 2], factor);
        return by ? movedModel(zoomed, by) : zoomed;
      }, false),
    fit: () => alter((now, pane) => fittedModel(now, box, pane), false),
  };
}

function boxAround(meshes: readonly ReadyMesh[]): Box {
  const side = (axis: 0 | 1 | 2, end: "min" | "max") => Math[end](...meshes.map(({ bounds }) => bounds[end][axis]));
  return {
    min: [side(0, "min"), side(1, "min"), side(2, "min")],
    max: [side(0, "max"), side(1, "max"), side(2, "max")],
  };
}
