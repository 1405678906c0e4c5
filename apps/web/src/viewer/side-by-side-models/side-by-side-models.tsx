import { lazy, Suspense } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { Loading } from "../ui/page/status-messages.tsx";
import { ViewerSurface } from "../ui/page/viewer-surface.tsx";
import type { ModelSide } from "./side-by-side-canvases.tsx";
import type { ModelAddresses } from "../model/scene-model.ts";

const SideBySideCanvases = lazy(async () => ({
  default: (await import("./side-by-side-canvases.tsx")).SideBySideCanvases,
}));

interface Props {
  left: ModelSide;
  right: ModelSide;
  renew: (id: string) => Promise<ModelAddresses | null>;
}

/** Two sets of models side by side, seen from the same direction. Give its parent a height. */
export function SideBySideModels(props: Props) {
  const t = useTexts("viewer");
  return (
    <ViewerSurface label={t("viewer.pair.title")}>
      <Suspense fallback={<Loading label={t("viewer.loading.models")} />}>
        <SideBySideCanvases {...props} />
      </Suspense>
    </ViewerSurface>
  );
}
