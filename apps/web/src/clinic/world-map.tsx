import { ActionIcon } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import { ageBands } from "@arcada/contract/clinic/clinic.rules";
import { useGo } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { ErrorState } from "../ui/states.tsx";
import { bubblesOf, fitting, isClosest } from "./bubbles.ts";
import type { Bubble, MappedClinic, Size, Spot } from "./bubbles.ts";
import classes from "./service-map.module.css";
import { spotOf, useLand } from "./use-land.ts";
import { useMapView } from "./use-map-view.ts";

/** The world's coasts and a bubble for each clinic, by the amount and the age of its open work. */
export function WorldMap({ clinics }: { clinics: MappedClinic[] }) {
  const t = useTexts("clinic");
  const { ref, width, height } = useElementSize();
  const spots = useMemo(
    () => clinics.map((clinic) => ({ ...spotOf(clinic.longitude, clinic.latitude), clinic })),
    [clinics],
  );
  return (
    <div className={classes.world}>
      <div ref={ref} className={classes.place}>
        {width > 0 && <Drawn key={`${width} ${height}`} spots={spots} size={{ width, height }} />}
      </div>
      <ul className={classes.legend} aria-label={t("clinic.map.legend")}>
        {ageBands.map((band) => (
          <li key={band} data-band={band}>
            {t(`clinic.band.${band}`)}
          </li>
        ))}
        <li data-band="none">{t("clinic.map.nothing")}</li>
      </ul>
    </div>
  );
}

function Drawn({ spots, size }: { spots: Spot[]; size: Size }) {
  const t = useTexts("clinic");
  const go = useGo();
  const land = useLand();
  const { view, zoom, show, props } = useMapView(fitting(spots, size), size);
  const bubbles = useMemo(() => bubblesOf(spots, view), [spots, view]);
  const open = ({ x, y, clinics }: Bubble) => {
    const [only] = clinics;
    if (only && (clinics.length === 1 || isClosest(view, size))) go("clinicDetail", { id: only.id });
    else zoom(3, { x, y });
  };
  if (land.isError) return <ErrorState retry={() => void land.refetch()} />;
  return (
    <>
      <svg
        {...props}
        className={classes.drawing}
        role="application"
        aria-label={t("clinic.map.label", { number: spots.length })}
        tabIndex={0}
      >
        <path
          d={land.data ?? ""}
          className={classes.land}
          transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}
        />
        {bubbles.map((bubble) => (
          <g
            key={bubble.clinics[0]!.id}
            className={classes.bubble}
            data-band={bubble.band ?? "none"}
            onClick={() => open(bubble)}
          >
            <title>{bubbleText(bubble, t)}</title>
            <circle cx={bubble.x} cy={bubble.y} r={bubble.radius} />
            {bubble.openWork > 0 && (
              <text x={bubble.x} y={bubble.y} dy="0.35em">
                {bubble.openWork}
              </text>
            )}
          </g>
        ))}
      </svg>
      <MapButtons onZoom={zoom} onFit={() => show(fitting(spots, size))} />
    </>
  );
}

function MapButtons({ onZoom, onFit }: { onZoom: (by: number) => void; onFit: () => void }) {
  const t = useTexts("clinic");
  const buttons = [
    { label: t("clinic.map.closer"), Icon: IconPlus, press: () => onZoom(1.6) },
    { label: t("clinic.map.farther"), Icon: IconMinus, press: () => onZoom(1 / 1.6) },
    { label: t("clinic.map.fit"), Icon: IconFocusCentered, press: onFit },
  ];
  return (
    <div className={classes.buttons}>
      {buttons.map(({ label, Icon, press }) => (
        <ActionIcon key={label} variant="default" size="lg" aria-label={label} onClick={press}>
          <Icon size={18} />
        </ActionIcon>
      ))}
    </div>
  );
}

const bubbleText = ({ clinics: here, openWork }: Bubble, t: Translate): string =>
  `${here.length === 1 ? here[0]!.name : t("clinic.count", { count: here.length })} · ${t("clinic.map.open", { number: openWork })}`;
