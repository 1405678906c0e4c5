import { useState } from "react";
import type { ViewName } from "@arcada/imaging/view/model-camera";
import { firstColour } from "./colours.ts";
import type { ModelLook } from "./model-painter.ts";
import type { SceneModel } from "./scene-model.ts";

export interface ModelLooks {
  /** What the user chose. */
  of: (id: string) => ModelLook;
  change: (id: string, change: Partial<ModelLook>) => void;
  /** What is drawn: a view onto one jaw leaves the other out, since it would lie in front. */
  shown: ReadonlyMap<string, ModelLook>;
}

export function useModelLooks(models: readonly SceneModel[], view: ViewName | null): ModelLooks {
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<ModelLook>>>(new Map());
  const chosen = new Map(
    models.map((model, at): [string, ModelLook] => [
      model.id,
      { isVisible: true, colour: firstColour(model, at), opacity: 1, ownColours: true, ...changes.get(model.id) },
    ]),
  );
  const hidden = view === "upper" ? "lower" : view === "lower" ? "upper" : null;
  const isHidden = new Set(models.filter(({ jaw }) => jaw !== null && jaw === hidden).map(({ id }) => id));
  const shown = new Map([...chosen].map(([id, look]) => [id, isHidden.has(id) ? { ...look, isVisible: false } : look]));
  return {
    of: (id) => chosen.get(id) ?? { isVisible: true, colour: "", opacity: 1, ownColours: true },
    change: (id, change) => setChanges((now) => new Map(now).set(id, { ...now.get(id), ...change })),
    shown,
  };
}
