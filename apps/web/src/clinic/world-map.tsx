import { ActionIcon } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import { useMemo } from "react";
import { geoEqualEarth, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import { useQuery } from "@tanstack/react-query";
import landUrl from "world-atlas/land-110m.json?url";
import { ageBands } from "@arcada/contract/clinic/clinic.rules";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { ErrorState } from "../ui/page-states.tsx";
import { clusterClinics, fitView, isMaxZoom, mapSize } from "./map-clusters.ts";
import type { ClinicCluster, MappedClinic, Size, ClinicPoint } from "./map-clusters.ts";
import classes from "./service-map.module.css";
import { useMapView } from "./use-map-view.ts";

/** The world's coasts and a bubble for each clinic, by the amount and the age of its open work. */
export function WorldMap({ clinics }: { clinics: MappedClinic[] }) {
  const t = useTexts("clinic");
  const { ref, width, height } = useElementSize();
  const points = useMemo(
    () => clinics.map((clinic) => ({ ...projectPoint(clinic.longitude, clinic.latitude), clinic })),
    [clinics],
  );
  return (
    <div className={classes.world}>
      <div ref={ref} className={classes.place}>
        {width > 0 && <MapDrawing key={`${width} ${height}`} points={points} size={{ width, height }} />}
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

const projection = geoEqualEarth().fitSize([mapSize.width, mapSize.height], { type: "Sphere" });

/** Projects a longitude and a latitude (degrees) onto the map drawing. */
function projectPoint(longitude: number, latitude: number): { x: number; y: number } {
  const [x, y] = projection([longitude, latitude]) ?? [0, 0];
  return { x, y };
}

/** The world's coastline, without borders, from this server; loaded when a map is shown. */
const useCoastline = () =>
  useQuery({
    queryKey: ["land"],
    queryFn: async ({ signal }): Promise<string> => {
      const response = await fetch(landUrl, { signal });
      const topology = (await response.json()) as Parameters<typeof feature>[0];
      return geoPath(projection)(feature(topology, topology.objects["land"]!)) ?? "";
    },
    staleTime: Infinity,
    meta: { shownBy: "page" },
  });

function MapDrawing({ points, size }: { points: ClinicPoint[]; size: Size }) {
  const t = useTexts("clinic");
  const go = useOpenScreen();
  const coastline = useCoastline();
  const { view, zoom, show: setView, props } = useMapView(fitView(points, size), size);
  const clusters = useMemo(() => clusterClinics(points, view), [points, view]);
  const open = ({ x, y, clinics }: ClinicCluster) => {
    const [only] = clinics;
    if (only && (clinics.length === 1 || isMaxZoom(view, size))) go("clinicDetail", { id: only.id });
    else zoom(3, { x, y });
  };
  if (coastline.isError) return <ErrorState retry={() => void coastline.refetch()} />;
  return (
    <>
      <svg
        {...props}
        className={classes.drawing}
        role="application"
        aria-label={t("clinic.map.label", { number: points.length })}
        tabIndex={0}
      >
        <path
          d={coastline.data ?? ""}
          className={classes.land}
          transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}
        />
        {clusters.map((bubble) => (
          <g
            key={bubble.clinics[0]!.id}
            className={classes.bubble}
            data-band={bubble.band ?? "none"}
            onClick={() => open(bubble)}
          >
            <title>{describeCluster(bubble, t)}</title>
            <circle cx={bubble.x} cy={bubble.y} r={bubble.radius} />
            {bubble.openWork > 0 && (
              <text x={bubble.x} y={bubble.y} dy="0.35em">
                {bubble.openWork}
              </text>
            )}
          </g>
        ))}
      </svg>
      <MapButtons onZoom={zoom} onFit={() => setView(fitView(points, size))} />
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

const describeCluster = ({ clinics: here, openWork }: ClinicCluster, t: Translate): string =>
  `${here.length === 1 ? here[0]!.name : t("clinic.count", { count: here.length })} · ${t("clinic.map.open", { number: openWork })}`;
