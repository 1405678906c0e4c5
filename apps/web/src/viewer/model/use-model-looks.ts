import { useMemo, useState } from "react";
import type { ViewName } from "@arcada/imaging/view/model-camera";
import { firstColour, lineColour } from "./colours.ts";
import type { ModelLook } from "./model-look.ts";
import type { SceneModel } from "./scene-model.ts";

export interface ModelLooks {
  /** The settings that the user chose. */
  of: (id: string) => ModelLook;
  change: (id: string, change: Partial<ModelLook>) => void;
  /**
   * The settings for rendering: a view of one jaw hides the other, since it would be in front. The same object as long
   * as nothing changes.
   */
  shown: ReadonlyMap<string, ModelLook>;
}

export function useModelLooks(models: readonly SceneModel[], view: ViewName | null): ModelLooks {
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<ModelLook>>>(new Map());
  // Every answer of the server brings new model objects; the parts used here stay the same.
  const told = JSON.stringify(models.map(({ id, jaw }) => ({ id, jaw })));
  const hidden = view === "upper" ? "lower" : view === "lower" ? "upper" : null;
  const { chosen, shown } = useMemo(() => {
    const known = JSON.parse(told) as Pick<SceneModel, "id" | "jaw">[];
    const looks = known.map(({ id, jaw }, at) => {
      const first = { ...plain, colour: firstColour(jaw, at), line: lineColour(at) };
      return { id, jaw, look: { ...first, ...changes.get(id) } };
    });
    const isLeftOut = (jaw: SceneModel["jaw"]) => jaw !== null && jaw === hidden;
    return {
      chosen: new Map(looks.map(({ id, look }) => [id, look])),
      shown: new Map(looks.map(({ id, jaw, look }) => [id, isLeftOut(jaw) ? { ...look, isVisible: false } : look])),
    };
  }, [told, changes, hidden]);
  return {
    of: (id) => chosen.get(id) ?? plain,
    change: (id, change) => setChanges((now) => new Map(now).set(id, { ...now.get(id), ...change })),
    shown,
  };
}

const plain: ModelLook = { isVisible: true, colour: "", line: "", opacity: 1, ownColours: true };
