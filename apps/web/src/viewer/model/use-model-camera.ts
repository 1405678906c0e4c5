import { useState } from "react";
import { fittedScale, movedModel, orbited, rolled, viewCamera, zoomedModel, type Ball, type ModelCamera, type ViewName } from "../geometry/model-camera.ts";
import type { Spot } from "../geometry/measure.ts";
import type { Size } from "../geometry/picture-view.ts";
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
export function useModelCamera(models: readonly SceneModel[], loads: ReadonlyMap<string, MeshLoad>, size: Size | null): ModelControls {
  const [given, setGiven] = useState<ModelCamera | null>(null);
  const [view, setView] = useState<ViewName | null>("front");
  const ready = models.flatMap((model) => {
    const load = loads.get(model.id);
    return load?.state === "ready" ? [{ model, mesh: load.mesh }] : [];
  });
  const ball = ballAround(ready.map(({ mesh }) => mesh));
  const first = ready[0];
  const named = (name: ViewName) => first && size && viewCamera(name, first.mesh.frame, first.model.jaw, ball, size);
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
    fit: () => alter((now, pane) => ({ ...now, target: ball.centre, scale: fittedScale(ball, pane) }), false),
  };
}

function ballAround(meshes: readonly ReadyMesh[]): Ball {
  const sides = ([0, 1, 2] as const).map((axis) => [
    Math.min(...meshes.map(({ bounds }) => bounds.min[axis])),
    Math.max(...meshes.map(({ bounds }) => bounds.max[axis])),
  ]) as [low: number, high: number][];
  const [x, y, z] = sides.map(([low, high]) => (low + high) / 2) as [number, number, number];
  return { centre: [x, y, z], radius: Math.hypot(...sides.map(([low, high]) => (high - low) / 2)) * 0.85 };
}
