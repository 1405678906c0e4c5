import { lazy, Suspense } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { Loading } from "../ui/page/status-messages.tsx";
import { ViewerSurface } from "../ui/page/viewer-surface.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { viewerLoaders } from "../viewer-code-loaders.ts";
import type { SceneModel } from "./scene-model.ts";
import type { ModelViewerInputs } from "./use-model-viewer.ts";

// The 3D library is loaded with the first model that is shown.
const ModelViewer = lazy(async () => ({ default: (await viewerLoaders.models()).ModelViewer }));

interface Props extends ModelViewerInputs {
  models: readonly (Pick<SceneModel, "name" | "url" | "format"> & Partial<SceneModel>)[];
  annotations?: AnnotationStore;
  /** True if keys and wheel apply to the whole page, because the scene is its main content. */
  isWholePage?: boolean;
}

/** Models in 3D inside any page: give its parent a height. Without `marks`, measurements are not saved. */
export function ModelScene({ models, annotations, isWholePage = false, ...given }: Props) {
  const t = useTexts("viewer");
  const known = models.map((model, at): SceneModel => ({ id: `${at} ${model.name}`, jaw: null, glb: null, ...model }));
  return (
    <ViewerSurface label={t("viewer.kind.models")} isWholePage={isWholePage}>
      <Suspense fallback={<Loading label={t("viewer.loading.models")} />}>
        <ModelViewer models={known} annotations={annotations} {...given} />
      </Suspense>
    </ViewerSurface>
  );
}
