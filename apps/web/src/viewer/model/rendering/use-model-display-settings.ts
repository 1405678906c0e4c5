import { useMemo, useState } from "react";
import type { CameraViewName } from "@arcada/imaging/view/model-camera";
import type { Jaw } from "@arcada/imaging/geometry/patient-frame";
import type { ModelDisplaySettings } from "./model-display-settings.ts";
import type { SceneModel } from "../scene-model.ts";

export interface ModelDisplayControls {
  /** The settings that the user chose. */
  get: (id: string) => ModelDisplaySettings;
  change: (id: string, change: Partial<ModelDisplaySettings>) => void;
  /**
   * The settings for rendering: a view of one jaw hides the other, since it would be in front. The same object as long
   * as nothing changes.
   */
  effective: ReadonlyMap<string, ModelDisplaySettings>;
}

export function useModelDisplaySettings(
  models: readonly SceneModel[],
  view: CameraViewName | null,
): ModelDisplayControls {
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<ModelDisplaySettings>>>(new Map());
  // Every answer of the server brings new model objects; the parts used here stay the same.
  const serialized = JSON.stringify(models.map(({ id, jaw }) => ({ id, jaw })));
  const hidden = view === "upper" ? "lower" : view === "lower" ? "upper" : null;
  const { chosen, shown: effective } = useMemo(() => {
    const known = JSON.parse(serialized) as Pick<SceneModel, "id" | "jaw">[];
    const displaySettings = known.map(({ id, jaw }, at) => {
      const first = { ...defaultDisplaySettings, colour: pickModelColour(jaw, at), line: pickLineColour(at) };
      return { id, jaw, look: { ...first, ...changes.get(id) } };
    });
    const isLeftOut = (jaw: SceneModel["jaw"]) => jaw !== null && jaw === hidden;
    return {
      chosen: new Map(displaySettings.map(({ id, look }) => [id, look])),
      shown: new Map(
        displaySettings.map(({ id, jaw, look }) => [id, isLeftOut(jaw) ? { ...look, isVisible: false } : look]),
      ),
    };
  }, [serialized, changes, hidden]);
  return {
    get: (id) => chosen.get(id) ?? defaultDisplaySettings,
    change: (id, change) => setChanges((now) => new Map(now).set(id, { ...now.get(id), ...change })),
    effective,
  };
}

/** Plaster and stone first, then colours that people with red–green colour blindness can tell apart. */
const modelColours = ["#e6d8c3", "#cfdbe3", "#7fb2e5", "#e5a94f", "#9d8fd6", "#5fbfa8"] as const;

const pickModelColour = (jaw: Jaw | null, at: number): string =>
  (jaw === "upper" ? modelColours[0] : jaw === "lower" ? modelColours[1] : modelColours[at % modelColours.length]) ??
  modelColours[0];

/** Colours of a section's line: strong enough to be seen on every model, its own included. */
const lineColours = ["#ffd43b", "#4dabf7", "#ff8787", "#69db7c", "#e599f7", "#ffa94d"] as const;

const pickLineColour = (at: number): string => lineColours[at % lineColours.length] ?? lineColours[0];

const defaultDisplaySettings: ModelDisplaySettings = {
  isVisible: true,
  colour: "",
  line: "",
  opacity: 1,
  ownColours: true,
};
