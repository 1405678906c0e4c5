import { Button } from "@mantine/core";
import { IconRotateClockwise } from "@tabler/icons-react";
import { useState } from "react";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { OfferBanner } from "../ui/page/offer-banner.tsx";
import { findSuggestedTurn } from "./suggested-turns.ts";
import type { ImageControls } from "./use-image-view.ts";

interface Props {
  patientId: string;
  instanceId: string;
  controls: ImageControls;
}

/** Offers to turn an intra-oral radiograph if an engine found that it lies on its side or upside down. */
export function FilmTurnBanner({ patientId, instanceId, controls: { view, rotateTo } }: Props) {
  const t = useTexts("viewer");
  const [isClosed, setClosed] = useState(false);
  const { data: analyses } = useCall(analysisCalls.list, { patientId, imageId: instanceId });
  const turn = analyses ? findSuggestedTurn(analyses, instanceId) : null;
  // A mirrored image was turned over by hand: what the engine saw no longer describes it.
  if (isClosed || turn === null || !view || view.mirrored || view.turns === turn) return null;
  const close = () => setClosed(true);
  const turnUpright = () => {
    rotateTo(turn * 90);
    close();
  };
  return (
    <OfferBanner
      icon={IconRotateClockwise}
      text={t("viewer.filmTurn.lying")}
      closeLabel={t("viewer.filmTurn.close")}
      onClose={close}
    >
      <Button size="compact-sm" onClick={turnUpright}>
        {t("viewer.filmTurn.turn")}
      </Button>
    </OfferBanner>
  );
}
