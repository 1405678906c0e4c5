import { NativeSelect, SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import type { Series } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import { Failed, Loading } from "../frame/states.tsx";
import { useSize } from "../frame/use-size.ts";
import { graphics } from "@arcada/imaging/gl/graphics";
import { dot } from "@arcada/imaging/view/vector";
import { endFirstLook } from "../first/first-stage.ts";
import type { Marks } from "../marks/use-marks.ts";
import { useOtherTool } from "../marks/use-other-tool.ts";
import { useSteps } from "../marks/use-steps.ts";
import { PlanAnnouncer } from "./arch/plan-announcer.tsx";
import { PlanHint } from "./arch/plan-hint.tsx";
import { useArch } from "./arch/use-arch.ts";
import styles from "./ct-viewer.module.css";
import { CtDataLine } from "./ct-data.tsx";
import { CtTools } from "./ct-tools.tsx";
import {
  arrangementOf,
  placeOf,
  placesIn,
  type Arrangement,
  type LayoutName,
  type PlaceName,
  placesOf,
} from "./layout/layouts.ts";
import type { CtParts } from "./layout/pane-props.ts";
import { paneTable } from "./layout/pane-table.ts";
import { roomTable } from "./layout/room-table.ts";
import { useLayout } from "./layout/use-layout.ts";
import type { VolumeFiles } from "./load-volume.ts";
import { Panes } from "./panes.ts";
import { RoughNote } from "./rough-note.tsx";
import { useCtControls } from "./use-ct-controls.ts";
import { usePlaneMarks } from "./use-plane-marks.ts";
import { useSharp } from "./use-sharp.ts";
import { useVolumePainting } from "./use-volume-painting.ts";
import { useVolume, type VolumeLoad } from "./use-volume.ts";
import { volumeFilesOf } from "./volume-files.ts";

const No3d = lazy(async () => ({ default: (await import("./no-3d.tsx")).No3d }));

interface Props {
  patientId: string | null;
  series: Series;
  marks: Marks;
  /** Fetches the series under renewed addresses. */
  renew: () => Promise<Series | null>;
}

/** Axial, coronal and sagittal planes of a volume with one crosshair. Give it the series' id as key. */
export function CtViewer({ patientId, series, marks, renew }: Props) {
  const t = useTexts("viewer");
  const files = volumeFilesOf(series);
  if (!files) return <Failed label={t("viewer.failed.unconverted")} />;
  if (graphics().kind === "none") return <No3d series={series} />;
  const renewFiles = async () => {
    const fresh = await renew();
    return fresh && volumeFilesOf(fresh);
  };
  return <VolumeViewer patientId={patientId} series={series} files={files} marks={marks} renew={renewFiles} />;
}

interface VolumeProps {
  patientId: string | null;
  series: Series;
  files: VolumeFiles;
  marks: Marks;
  renew: () => Promise<VolumeFiles | null>;
}

function VolumeViewer({ patientId, series, files, marks, renew }: VolumeProps) {
  const load = useVolume(files, renew);
  return <Planes patientId={patientId} series={series} load={load} marks={marks} />;
}

const narrow = 640;

function Planes(own: Pick<CtParts, "patientId" | "series" | "load" | "marks">) {
  const { series, load } = own;
  const { store } = load;
  const grid = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [panes] = useState(() => new Panes());
  const [layout, keepLayout] = useLayout();
  const size = useSize(grid);
  const controls = useCtControls(store, layout);
  const marks = useSteps(own.marks, controls.looked, controls.showLooked);
  const owner = series.instances[0]?.id ?? null;
  const needsArch =
    controls.tool === "arch" || placesOf(layout).some((place) => place === "panorama" || place === "section");
  const arch = useArch(store, marks, owner, controls, needsArch);
  const drawing = usePlaneMarks(marks, owner, store, arch);
  useOtherTool(drawing, controls.tool);
  useEffect(() => store.lookAt(controls.cross));
  useSharp(load, controls);
  const painting = useVolumePainting(host, panes, store, {
    look: controls.look,
    layout: controls.large ? null : layout,
    isComing: needsArch && arch.state === "looking",
  });
  useFirstLook(painting !== "painting" || load.fault !== null);
  const choose = (next: LayoutName) => {
    keepLayout(next);
    controls.enter(next);
    // On a narrow screen only one viewport is visible: the first one of the chosen layout.
    const [first] = placesOf(next);
    if (first && (size?.width ?? narrow) < narrow) controls.activate(first);
    // The sagittal plane beside a panorama is the middle one.
    if (next === "ortho") controls.setDepth("sagittal", dot(store.middle, controls.planes.sagittal.away));
  };
  if (painting === "absent") return <No3d series={series} />;

  const width = size?.width ?? narrow;
  const arrangement = arrangementOf(layout, width);
  const all = placesIn(arrangement);
  const active = all.includes(controls.active) ? controls.active : (all[0] ?? "axial");
  const one = controls.large && all.includes(controls.large) ? controls.large : width < narrow ? active : null;
  const shown = one ? [one] : all;
  const parts: CtParts = { ...own, marks, store, drawing, panes, arch, controls: { ...controls, active } };
  return (
    <Rooms parts={parts}>
      <CtTools parts={parts} layout={layout} shown={all} grid={grid} onLayout={choose} />
      {one && <PlaceChoice parts={parts} places={all} one={one} />}
      <div ref={grid} className={styles.grid} style={one ? undefined : gridOf(arrangement)}>
        <div ref={host} className={styles.host} aria-hidden />
        {shown.map((place) => (
          <PlacePane key={place} place={place} parts={parts} isActive={!one && active === place} isOne={one !== null} />
        ))}
        <Covers load={load} isLost={painting === "lost"} />
        <PlanHint controls={controls} drawing={drawing} />
      </div>
      <PlanAnnouncer arch={arch} />
      {!shown.includes("data") && <CtDataLine {...parts} />}
    </Rooms>
  );
}

/** Removes the first look over the page if there is a problem to show, and when the viewer is closed. */
function useFirstLook(isTrouble: boolean): void {
  useEffect(() => {
    if (isTrouble) endFirstLook();
  }, [isTrouble]);
  useEffect(() => endFirstLook, []);
}

const Rooms = ({ parts, children }: { parts: CtParts; children: ReactNode }) =>
  roomTable.reduceRight((inner, Room) => <Room {...parts}>{inner}</Room>, <>{children}</>);

function PlacePane({
  place,
  parts,
  isActive,
  isOne,
}: {
  place: PlaceName;
  parts: CtParts;
  isActive: boolean;
  isOne: boolean;
}) {
  const t = useTexts("viewer");
  const Pane = paneTable[placeOf(place).pane];
  return (
    <div className={styles.place} style={isOne ? undefined : { gridArea: place }}>
      <Suspense fallback={<Loading label={t("viewer.loading.volume")} />}>
        {Pane && <Pane {...parts} place={place} isActive={isActive} />}
      </Suspense>
      {placeOf(place).pane !== "render" && <RoughNote panes={parts.panes} place={place} />}
    </div>
  );
}

/** Selects the viewport to show if there is space for one only. */
function PlaceChoice({
  parts: { controls },
  places,
  one,
}: {
  parts: CtParts;
  places: readonly PlaceName[];
  one: PlaceName;
}) {
  const t = useTexts("viewer");
  const nameOf = (place: PlaceName): string => {
    const { pane, side } = placeOf(place);
    return side ? t(`viewer.joint.${side}`, { plane: t(`viewer.pane.${pane}`) }) : t(`viewer.pane.${pane}`);
  };
  const choose = (place: PlaceName) => {
    controls.activate(place);
    if (controls.large && controls.large !== place) controls.toggleLarge(place);
  };
  const data = places.map((place) => ({ value: place, label: nameOf(place) }));
  if (places.length > 4)
    return (
      <NativeSelect
        className={styles.planes ?? ""}
        size="xs"
        aria-label={t("viewer.layout.place")}
        value={one}
        data={data}
        onChange={(event) => choose(places.find((place) => place === event.currentTarget.value) ?? one)}
      />
    );
  return (
    <SegmentedControl<PlaceName>
      className={styles.planes}
      size="xs"
      fullWidth
      value={one}
      onChange={choose}
      data={data}
    />
  );
}

const gridOf = ({ rows, columns, heights }: Arrangement): CSSProperties => ({
  gridTemplateAreas: rows.map((row) => `"${row.join(" ")}"`).join(" "),
  gridTemplateColumns: shares(columns),
  gridTemplateRows: shares(heights),
});

const shares = (parts: readonly number[]): string => parts.map((part) => `minmax(0, ${part}fr)`).join(" ");

/** Covers the planes while there is nothing to show. */
function Covers({ load, isLost }: { load: VolumeLoad; isLost: boolean }) {
  const t = useTexts("viewer");
  if (!isLost && load.stage !== "waiting") return null;
  const { fault } = load;
  return (
    <div className={styles.cover}>
      {isLost ? (
        <Loading label={t("viewer.contextLost")} />
      ) : fault ? (
        <Failed label={t(`viewer.failed.${fault.reason}`)} onAgain={fault.again} />
      ) : (
        <Loading label={t("viewer.loading.volume")} />
      )}
    </div>
  );
}
