import { Button } from "@mantine/core";
import { IconRotateClockwise } from "@tabler/icons-react";
import { useState } from "react";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import type { MountImage } from "@arcada/contract/study/series-mount.calls";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";
import { listSuggestedTurns } from "../image/suggested-turns.ts";
import { OfferBanner } from "../ui/page/offer-banner.tsx";
import type { SeriesMountControls } from "./use-series-mount.ts";

interface Props {
  patientId: string;
  images: readonly MountImage[];
  controls: SeriesMountControls;
}

/** Offers to turn all radiographs upright that an engine found lying, unless somebody has turned them already. */
export function TurnSuggestion({ patientId, images, controls }: Props) {
  const t = useTexts("viewer");
  const [isClosed, setClosed] = useState(false);
  const { data: analyses } = useCall(analysisCalls.list, { patientId });
  const ids = images.map(({ id }) => id);
  const suggested = listSuggestedTurns(analyses ?? [], ids, controls.turnsOf);
  const count = Object.keys(suggested).length;
  if (isClosed || count === 0) return null;
  const close = () => setClosed(true);
  const turnAll = () => {
    controls.turn(suggested);
    close();
  };
  return (
    <OfferBanner
      icon={IconRotateClockwise}
      text={t("viewer.filmTurn.several", { count })}
      closeLabel={t("viewer.filmTurn.close")}
      onClose={close}
    >
      <Button size="compact-sm" onClick={turnAll}>
        {t("viewer.filmTurn.turn")}
      </Button>
    </OfferBanner>
  );
}
