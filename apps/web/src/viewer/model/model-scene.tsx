import { lazy, Suspense } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { Loading } from "../frame/states.tsx";
import { Surface } from "../frame/surface.tsx";
import type { Marks } from "../marks/use-marks.ts";
import { viewerCode } from "../viewer-code.ts";
import type { SceneModel } from "./scene-model.ts";
import type { RoomGiven } from "./use-model-room.ts";

// The 3D library is loaded with the first model that is shown.
const ModelStage = lazy(async () => ({ default: (await viewerCode.models()).ModelStage }));

interface Props extends RoomGiven {
  models: readonly (Pick<SceneModel, "name" | "url" | "format"> & Partial<SceneModel>)[];
  marks?: Marks;
  /** True if keys and wheel apply to the whole page, because the scene is its main content. */
  isWholePage?: boolean;
}

/** Models in 3D inside any page: give its parent a height. Without `marks`, measurements are not saved. */
export function ModelScene({ models, marks, isWholePage = false, ...given }: Props) {
  const t = useTexts("viewer");
  const known = models.map((model, at): SceneModel => ({ id: `${at} ${model.name}`, jaw: null, glb: null, ...model }));
  return (
    <Surface label={t("viewer.kind.models")} isWholePage={isWholePage}>
      <Suspense fallback={<Loading label={t("viewer.loading.models")} />}>
        <ModelStage models={known} marks={marks} {...given} />
      </Suspense>
    </Surface>
  );
}
