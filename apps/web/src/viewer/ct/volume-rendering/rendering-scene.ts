import type { Annotation } from "@arcada/contract/study/annotation";
import { planeNames, type PlaneName } from "@arcada/imaging/view/plane-view";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import { unclipped, type VolumeClip } from "@arcada/imaging/view/volume-clip";
import { cross, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { PlacedMesh } from "@arcada/imaging/gl/mesh-in-volume-renderer";
import { renderPresets, type RenderChoice } from "./render-presets.ts";
import { renderViews, type RenderView } from "./camera-presets.ts";

/** A surface of the scene, and the style of its intersection with a plane. */
export interface RenderedMesh extends PlacedMesh {
  isShown: boolean;
  cut: "filled" | "line" | "none";
}

/** The plane at which the volume is cut open; `isTurned`: the part behind it is removed. */
export interface CutChoice {
  plane: PlaneName;
  isFlipped: boolean;
}

/** The display state of the volume rendering. */
export interface Scene {
  choice: RenderChoice;
  view: RenderView | null;
  /** Null while a named view is shown. */
  camera: ModelCamera | null;
  box: Pick<VolumeClip, "low" | "high">;
  cut: CutChoice | null;
}

export const defaultScene: Scene = {
  choice: { preset: "bone", threshold: null, opacity: 1 },
  view: "front",
  camera: null,
  box: { low: unclipped.low, high: unclipped.high },
  cut: null,
};
type Values = Pick<VolumeInfo, "valueScale" | "valueOffset">;
type StoredScene = Pick<Annotation, "points"> & { settings: NonNullable<Annotation["settings"]> };
const boxSettingNames = ["lowX", "lowY", "lowZ", "highX", "highY", "highZ"] as const;

/** Returns the parts of the scene that are stored as an annotation of the study. */
export function serializeScene(
  { choice, view, camera, box, cut }: Scene,
  { valueScale, valueOffset }: Values,
): StoredScene {
  const { preset, threshold, opacity } = choice;
  return {
    points: camera ? [camera.target, camera.right, camera.up].map((each) => [...each]) : [],
    settings: {
      preset,
      opacity,
      ...(threshold !== null && { threshold: threshold * valueScale + valueOffset }),
      ...(view && { view }),
      ...(camera && { scale: camera.scale, perspective: camera.hasPerspective }),
      ...Object.fromEntries([...box.low, ...box.high].map((value, at) => [boxSettingNames[at]!, value])),
      ...(cut && { cut: cut.plane, isTurned: cut.isFlipped }),
    },
  };
}

/** Restores a scene from an annotation. Invalid values become the defaults. */
export function parseScene(
  { points, settings = {} }: Pick<Annotation, "points" | "settings">,
  { valueScale, valueOffset }: Values,
): Scene {
  const number = (name: string, other: number): number => (typeof settings[name] === "number" ? settings[name] : other);
  const pickName = <T extends string>(names: readonly T[], name: string): T | undefined =>
    names.find((each) => each === settings[name]);
  const threshold = settings["threshold"];
  const ends = boxSettingNames.map((name, at) => number(name, at < 3 ? 0 : 1)) as [...Vector, ...Vector];
  const cut = pickName(planeNames, "cut");
  const [target, right, up] = points.map(toVector);
  const camera: ModelCamera | null =
    target && right && up
      ? {
          target,
          right,
          up,
          eye: cross(right, up),
          scale: number("scale", 1),
          hasPerspective: settings["perspective"] === true,
        }
      : null;
  return {
    choice: {
      preset: pickName(renderPresets, "preset") ?? defaultScene.choice.preset,
      opacity: number("opacity", 1),
      threshold: typeof threshold === "number" ? Math.round((threshold - valueOffset) / valueScale) : null,
    },
    view: camera ? null : (pickName(renderViews, "view") ?? "front"),
    camera,
    box: { low: [ends[0], ends[1], ends[2]], high: [ends[3], ends[4], ends[5]] },
    cut: cut ? { plane: cut, isFlipped: settings["isTurned"] === true } : null,
  };
}
