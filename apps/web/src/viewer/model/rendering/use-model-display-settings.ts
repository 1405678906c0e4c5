import { useMemo, useState } from "react";
import type { CameraViewName } from "@arcada/imaging/view/model-camera";
import { pickModelColour, pickLineColour } from "./model-colours.ts";
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

const defaultDisplaySettings: ModelDisplaySettings = {
  isVisible: true,
  colour: "",
  line: "",
  opacity: 1,
  ownColours: true,
};
