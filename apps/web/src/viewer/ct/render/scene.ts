import type { Mark } from "@arcada/contract/study/mark";
import { planeNames, type PlaneName } from "@arcada/imaging/view/plane";
import type { ModelCamera } from "@arcada/imaging/view/model-camera";
import { unclipped, type Clip } from "@arcada/imaging/view/render-rays";
import { cross, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { renderPresets, type RenderChoice } from "./presets.ts";
import { renderViews, type RenderView } from "./render-views.ts";

/** The plane at which the volume is cut open; `isTurned`: the part behind it is removed. */
export interface CutChoice {
  plane: PlaneName;
  isTurned: boolean;
}

/** The display state of the volume rendering. */
export interface Scene {
  choice: RenderChoice;
  view: RenderView | null;
  /** Null while a named view is shown. */
  camera: ModelCamera | null;
  box: Pick<Clip, "low" | "high">;
  cut: CutChoice | null;
}

export const firstScene: Scene = {
  choice: { preset: "bone", threshold: null, opacity: 1 },
  view: "front",
  camera: null,
  box: { low: unclipped.low, high: unclipped.high },
  cut: null,
};
type Values = Pick<VolumeInfo, "valueScale" | "valueOffset">;
type Kept = Pick<Mark, "points"> & { settings: NonNullable<Mark["settings"]> };
const sides = ["lowX", "lowY", "lowZ", "highX", "highY", "highZ"] as const;

/** Returns the parts of the scene that are stored as an annotation of the study. */
export function keptOf({ choice, view, camera, box, cut }: Scene, { valueScale, valueOffset }: Values): Kept {
  const { preset, threshold, opacity } = choice;
  return {
    points: camera ? [camera.target, camera.right, camera.up].map((each) => [...each]) : [],
    settings: {
      preset,
      opacity,
      ...(threshold !== null && { threshold: threshold * valueScale + valueOffset }),
      ...(view && { view }),
      ...(camera && { scale: camera.scale, perspective: camera.hasPerspective }),
      ...Object.fromEntries([...box.low, ...box.high].map((value, at) => [sides[at]!, value])),
      ...(cut && { cut: cut.plane, isTurned: cut.isTurned }),
    },
  };
}

/** Restores a scene from an annotation. Invalid values become the defaults. */
export function sceneOf(
  { points, settings = {} }: Pick<Mark, "points" | "settings">,
  { valueScale, valueOffset }: Values,
): Scene {
  const number = (name: string, other: number): number => (typeof settings[name] === "number" ? settings[name] : other);
  const one = <T extends string>(names: readonly T[], name: string): T | undefined =>
    names.find((each) => each === settings[name]);
  const threshold = settings["threshold"];
  const ends = sides.map((name, at) => number(name, at < 3 ? 0 : 1)) as [...Vector, ...Vector];
  const cut = one(planeNames, "cut");
  const [target, right, up] = points.map(vectorOf);
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
      preset: one(renderPresets, "preset") ?? firstScene.choice.preset,
      opacity: number("opacity", 1),
      threshold: typeof threshold === "number" ? Math.round((threshold - valueOffset) / valueScale) : null,
    },
    view: camera ? null : (one(renderViews, "view") ?? "front"),
    camera,
    box: { low: [ends[0], ends[1], ends[2]], high: [ends[3], ends[4], ends[5]] },
    cut: cut ? { plane: cut, isTurned: settings["isTurned"] === true } : null,
  };
}
