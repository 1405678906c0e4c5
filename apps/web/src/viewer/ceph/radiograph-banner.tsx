import { Button } from "@mantine/core";
import { IconRotateClockwise, IconRuler2, IconTargetArrow } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { ImageFile } from "../image/loading/load-image.ts";
import type { ImageControls } from "../image/use-image-view.ts";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { meanHeadTrial } from "@arcada/analysis/head-fit/measured-errors";
import { OfferBanner } from "../ui/page/offer-banner.tsx";
import { minReportedDifference } from "./calibration-panel.tsx";
import type { RadiographReading } from "./use-radiograph-reading.ts";
import type { LandmarkGuide } from "./use-landmark-guide.ts";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  reading: RadiographReading;
  controls: ImageControls;
  file: ImageFile | null;
  tracing: Tracing;
  guide: LandmarkGuide;
  /** Opens the panel with all ways to set the scale. */
  onOpenScale: () => void;
}

type BannerName = "turn" | "ruler" | "suggestions";

/**
 * Offers one finding at a time, in the order in which they are needed: the film lies on its side, a ruler was found,
 * positions are suggested. Nothing is changed until the user takes it; what is closed stays closed.
 */
export function RadiographBanner(props: Props) {
  const [closed, setClosed] = useState<readonly BannerName[]>([]);
  if (!props.tracing.maySave) return null;
  const name = listOffers(props).find((offer) => !closed.includes(offer));
  if (!name) return null;
  const close = () => setClosed((now) => [...now, name]);
  const Offer = offers[name];
  return <Offer {...props} close={close} />;
}

/** The findings that still lead to a change. */
function listOffers({ reading, controls, file, tracing, guide }: Props): BannerName[] {
  const { calibration, landmarks } = tracing.content;
  const { scales } = reading.ruler;
  const isLying = reading.turns !== null && controls.view !== null && controls.view.turns !== reading.turns;
  const differsFromFile =
    calibration?.source === "file" &&
    file?.spacing != null &&
    scales.every(({ width }) => Math.abs(calibration.width / width - 1) >= minReportedDifference);
  const isSuggested = guide.landmarks.some(({ id }) => !landmarks[id] && reading.fittedLandmarks.has(id));
  return [
    ...(isLying ? (["turn"] as const) : []),
    ...(scales.length > 0 && (calibration === null || differsFromFile) ? (["ruler"] as const) : []),
    ...(isSuggested ? (["suggestions"] as const) : []),
  ];
}

const offers: Record<BannerName, (props: Props & { close: () => void }) => ReactNode> = {
  turn: TurnOffer,
  ruler: RulerOffer,
  suggestions: SuggestionsOffer,
};

function TurnOffer({ reading, controls, close }: Props & { close: () => void }) {
  const t = useTexts("ceph");
  const turnUpright = () => {
    const quarters = ((reading.turns ?? 0) - (controls.view?.turns ?? 0) + 4) % 4;
    if (quarters === 3) controls.rotate(-1);
    else for (let turn = 0; turn < quarters; turn++) controls.rotate(1);
  };
  return (
    <OfferBanner
      icon={IconRotateClockwise}
      text={t("ceph.banner.lying")}
      closeLabel={t("ceph.banner.close")}
      onClose={close}
    >
      <Button size="compact-sm" onClick={turnUpright}>
        {t("ceph.banner.turn")}
      </Button>
    </OfferBanner>
  );
}

function RulerOffer({ reading, file, tracing, onOpenScale, close }: Props & { close: () => void }) {
  const t = useTexts("ceph");
  const { scales } = reading.ruler;
  const [only] = scales;
  const use = (source: "ruler" | "file", width: number) =>
    tracing.change({ calibration: { source, width, magnification: 1, line: null } });
  const { calibration } = tracing.content;
  const keepsFile = calibration?.source === "file";
  const text =
    scales.length === 1 && only
      ? t("ceph.banner.ruler", { mm: formatNumber(only.width, 4), length: formatNumber(only.mm, 0) })
      : t("ceph.banner.rulers");
  const difference =
    keepsFile && only
      ? ` ${t("ceph.banner.differs", { percent: formatNumber(Math.abs(calibration.width / only.width - 1) * 100, 0) })}`
      : "";
  return (
    <OfferBanner icon={IconRuler2} text={text + difference} closeLabel={t("ceph.banner.close")} onClose={close}>
      {scales.map(({ width, mm }, index) => (
        <Button
          key={width}
          size="compact-sm"
          variant={index === 0 && scales.length === 1 ? "filled" : "light"}
          onClick={() => use("ruler", width)}
        >
          {scales.length === 1
            ? t("ceph.banner.useRuler")
            : t("ceph.banner.useLength", { length: formatNumber(mm, 0) })}
        </Button>
      ))}
      {file?.spacing && !keepsFile && (
        <Button size="compact-sm" variant="default" onClick={() => use("file", file.spacing!.column)}>
          {t("ceph.calibration.useFile", { mm: formatNumber(file.spacing.column, 4) })}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={onOpenScale}>
        {t("ceph.banner.otherScale")}
      </Button>
    </OfferBanner>
  );
}

function SuggestionsOffer({ reading, guide, tracing, close }: Props & { close: () => void }) {
  const t = useTexts("ceph");
  const { landmarks } = tracing.content;
  const count = guide.landmarks.filter(({ id }) => !landmarks[id] && reading.fittedLandmarks.has(id)).length;
  const { drawn, real } = meanHeadTrial;
  const numbers = { count, drawn: formatNumber(drawn.median, 1), real: formatNumber(real.median, 1) };
  return (
    <OfferBanner
      icon={IconTargetArrow}
      text={t("ceph.banner.suggested", numbers)}
      closeLabel={t("ceph.banner.close")}
      onClose={close}
    />
  );
}
