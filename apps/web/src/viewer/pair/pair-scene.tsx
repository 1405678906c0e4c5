import { lazy, Suspense } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { Loading } from "../frame/states.tsx";
import { Surface } from "../frame/surface.tsx";
import type { PairSide } from "./pair-stage.tsx";
import type { ModelAddresses } from "../model/scene-model.ts";

const PairStage = lazy(async () => ({ default: (await import("./pair-stage.tsx")).PairStage }));

interface Props {
  left: PairSide;
  right: PairSide;
  renew: (id: string) => Promise<ModelAddresses | null>;
}

/** Two sets of models beside each other, seen from the same side. Give its parent a height. */
export function PairScene(props: Props) {
  const t = useTexts("viewer");
  return (
    <Surface label={t("viewer.pair.title")}>
      <Suspense fallback={<Loading label={t("viewer.loading.models")} />}>
        <PairStage {...props} />
      </Suspense>
    </Surface>
  );
}
