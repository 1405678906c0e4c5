import { NativeSelect, SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import type { Series } from "@arcada/contract/study/study.schema";
import { useTexts } from "../../i18n/texts.ts";
import { Failed, Loading } from "../ui/page/status-messages.tsx";
import { useClientSize } from "../ui/viewport/use-client-size.ts";
import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { dot } from "@arcada/imaging/geometry/vector";
import { endFirstPaint } from "../first-paint/first-paint-overlay.ts";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { ToolPrompt } from "../annotations/drawing/tool-prompt.tsx";
import { useFinishDraftOnToolChange } from "../annotations/drawing/use-finish-draft-on-tool-change.ts";
import { useCombinedUndo } from "../annotations/store/use-combined-undo.ts";
import { PlanAnnouncer } from "./arch/implant-plan/plan-announcer.tsx";
import { CanalSearchBar, hidesToolPrompt } from "./arch/canal/canal-search-bar.tsx";
import { useArch } from "./arch/use-arch.ts";
import styles from "./ct-viewer.module.css";
import { CtDetailsLine } from "./ct-details-line.tsx";
import { CtToolbar } from "./ct-toolbar.tsx";
import {
  getArrangement,
  getViewportDefinition,
  listViewportIds,
  type Arrangement,
  type LayoutName,
  type ViewportId,
  listLayoutViewportIds,
} from "../ct-core/viewport-layouts.ts";
import type { CtViewerState } from "./layout/viewport-props.ts";
import { viewportComponents } from "./layout/viewport-components.ts";
import { contextProviders } from "./layout/extension-points.ts";
import { useLayout } from "./layout/use-layout.ts";
import type { VolumeFiles } from "./loading/load-volume.ts";
import { ViewportRegistry } from "./viewport-rendering/viewport-registry.ts";
import { ReducedResolutionNote } from "./viewport-rendering/reduced-resolution-note.tsx";
import { useCtControls, type CtControls } from "./use-ct-controls.ts";
import { usePlaneAnnotations } from "./annotations/use-plane-annotations.ts";
import { useFullResolutionSlice } from "./loading/use-full-resolution-slice.ts";
import { useVolumeRenderer } from "./viewport-rendering/use-volume-renderer.ts";
import { useVolume, type VolumeLoad } from "./loading/use-volume.ts";
import { readVolumeFiles } from "../ct-core/volume-files.ts";

const CtDetails = lazy(async () => ({ default: (await import("./ct-details.tsx")).CtDetails }));
const NoWebglVolume = lazy(async () => ({ default: (await import("./no-webgl-volume.tsx")).NoWebglVolume }));

interface Props {
  patientId: string | null;
  series: Series;
  annotations: AnnotationStore;
  /** Fetches the series under renewed addresses. */
  renew: () => Promise<Series | null>;
}

/** Axial, coronal and sagittal planes of a volume with one crosshair. Give it the series' id as key. */
export function CtViewer({ patientId, series, annotations, renew }: Props) {
  const t = useTexts("viewer");
  const files = readVolumeFiles(series);
  if (!files) return <Failed label={t("viewer.failed.unconverted")} />;
  if (getGraphicsCapabilities().kind === "none") return <NoWebglVolume series={series} />;
  const renewFiles = async () => {
    const fresh = await renew();
    return fresh && readVolumeFiles(fresh);
  };
  return (
    <VolumeViewer patientId={patientId} series={series} files={files} annotations={annotations} renew={renewFiles} />
  );
}

interface VolumeProps {
  patientId: string | null;
  series: Series;
  files: VolumeFiles;
  annotations: AnnotationStore;
  renew: () => Promise<VolumeFiles | null>;
}

function VolumeViewer({ patientId, series, files, annotations, renew }: VolumeProps) {
  const load = useVolume(files, renew);
  return <VolumePlanes patientId={patientId} series={series} load={load} annotations={annotations} />;
}

const narrow = 640;

function VolumePlanes(own: Pick<CtViewerState, "patientId" | "series" | "load" | "annotations">) {
  const { series, load } = own;
  const { store } = load;
  const grid = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [viewports] = useState(() => new ViewportRegistry());
  const [layout, setLayout] = useLayout(store.fullInfo);
  const [hasDetails, setDetails] = useState(false);
  const size = useClientSize(grid);
  const controls = useCtControls(store, layout);
  const annotations = useCombinedUndo(own.annotations, controls.undoable, controls.restoreUndoable);
  const owner = series.instances[0]?.id ?? null;
  const needsArch =
    controls.tool === "arch" ||
    listLayoutViewportIds(layout).some((viewportId) => viewportId === "panorama" || viewportId === "section");
  const volume = { patientId: own.patientId, seriesId: series.id, owner };
  const arch = useArch(store, annotations, volume, controls, needsArch);
  const drawing = usePlaneAnnotations(annotations, owner, store, arch);
  useFinishDraftOnToolChange(drawing, controls.tool);
  useEffect(() => store.setCurrentSlice(controls.crosshair));
  useFullResolutionSlice(load, controls);
  const rendererState = useVolumeRenderer(host, viewports, store, {
    displaySettings: controls.displaySettings,
    layout: controls.enlarged ? null : layout,
    isDetecting: needsArch && arch.state === "looking",
  });
  useEndFirstPaint(rendererState !== "painting" || load.fault !== null);
  const choose = (next: LayoutName) => {
    setLayout(next);
    controls.enterLayout(next);
    // On a narrow screen only one viewport is visible: the first one of the chosen layout.
    const [first] = listLayoutViewportIds(next);
    if (first && (size?.width ?? narrow) < narrow) controls.activate(first);
    // The sagittal plane beside a panorama is the middle one.
    if (next === "ortho") controls.setDepth("sagittal", dot(store.middle, controls.planes.sagittal.away));
  };
  if (rendererState === "absent") return <NoWebglVolume series={series} />;

  const { arrangement, all, active, single } = arrangeViewports(layout, controls, size?.width ?? narrow);
  const parts: CtViewerState = {
    ...own,
    annotations,
    store,
    drawing,
    viewports,
    arch,
    controls: { ...controls, active },
  };
  return (
    <ContextProviders parts={parts}>
      <CtToolbar
        {...{ parts, layout, grid, hasDetails }}
        shown={all}
        onLayout={choose}
        onDetails={() => setDetails(!hasDetails)}
      />
      {single && <ViewportSelect parts={parts} viewportIds={all} single={single} />}
      <div className={styles.stage}>
        <div ref={grid} className={styles.grid} style={single ? undefined : buildGridStyle(arrangement)}>
          <div ref={host} className={styles.host} aria-hidden />
          {(single ? [single] : all).map((viewportId) => (
            <ViewportCell
              key={viewportId}
              viewportId={viewportId}
              parts={parts}
              isActive={!single && active === viewportId}
              isSingle={single !== null}
            />
          ))}
          <StatusCover load={load} isLost={rendererState === "lost"} />
          {!hidesToolPrompt(arch.canalTracing) && <ToolPrompt tool={controls.tool} draft={drawing.draft} />}
          <CanalSearchBar arch={arch} />
        </div>
        <Suspense>{hasDetails && <CtDetails {...parts} />}</Suspense>
      </div>
      <PlanAnnouncer arch={arch} />
      <CtDetailsLine {...parts} />
    </ContextProviders>
  );
}

/** Returns the viewports of a layout in this width, the active one, and the only one if there is space for no more. */
function arrangeViewports(layout: LayoutName, { active: wanted, enlarged }: CtControls, width: number) {
  const arrangement = getArrangement(layout, width);
  const all = listViewportIds(arrangement);
  const active = all.includes(wanted) ? wanted : (all[0] ?? "axial");
  const single = enlarged && all.includes(enlarged) ? enlarged : width < narrow ? active : null;
  return { arrangement, all, active, single };
}

/** Removes the first paint over the page if there is a problem to show, and when the viewer is closed. */
function useEndFirstPaint(isTrouble: boolean): void {
  useEffect(() => {
    if (isTrouble) endFirstPaint();
  }, [isTrouble]);
  useEffect(() => endFirstPaint, []);
}

const ContextProviders = ({ parts, children }: { parts: CtViewerState; children: ReactNode }) =>
  contextProviders.reduceRight(
    (inner, ContextProvider) => <ContextProvider {...parts}>{inner}</ContextProvider>,
    <>{children}</>,
  );

function ViewportCell({
  viewportId,
  parts,
  isActive,
  isSingle,
}: {
  viewportId: ViewportId;
  parts: CtViewerState;
  isActive: boolean;
  isSingle: boolean;
}) {
  const t = useTexts("viewer");
  const Viewport = viewportComponents[getViewportDefinition(viewportId).kind];
  return (
    <div className={styles.place} style={isSingle ? undefined : { gridArea: viewportId }}>
      <Suspense fallback={<Loading label={t("viewer.loading.volume")} />}>
        {Viewport && <Viewport {...parts} viewportId={viewportId} isActive={isActive} />}
      </Suspense>
      {getViewportDefinition(viewportId).kind !== "render" && (
        <ReducedResolutionNote viewports={parts.viewports} viewportId={viewportId} />
      )}
    </div>
  );
}

/** Selects the viewport to show if there is space for one only. */
function ViewportSelect({
  parts: { controls },
  viewportIds,
  single,
}: {
  parts: CtViewerState;
  viewportIds: readonly ViewportId[];
  single: ViewportId;
}) {
  const t = useTexts("viewer");
  const getName = (viewportId: ViewportId): string => {
    const { kind, side } = getViewportDefinition(viewportId);
    return side ? t(`viewer.joint.${side}`, { plane: t(`viewer.pane.${kind}`) }) : t(`viewer.pane.${kind}`);
  };
  const choose = (viewportId: ViewportId) => {
    controls.activate(viewportId);
    if (controls.enlarged && controls.enlarged !== viewportId) controls.toggleEnlarged(viewportId);
  };
  const data = viewportIds.map((viewportId) => ({ value: viewportId, label: getName(viewportId) }));
  if (viewportIds.length > 4)
    return (
      <NativeSelect
        className={styles.planes ?? ""}
        size="xs"
        aria-label={t("viewer.layout.place")}
        value={single}
        data={data}
        onChange={(event) =>
          choose(viewportIds.find((viewportId) => viewportId === event.currentTarget.value) ?? single)
        }
      />
    );
  return (
    <SegmentedControl<ViewportId>
      className={styles.planes}
      size="xs"
      fullWidth
      value={single}
      onChange={choose}
      data={data}
    />
  );
}

const buildGridStyle = ({ rows, columns, heights }: Arrangement): CSSProperties => ({
  gridTemplateAreas: rows.map((row) => `"${row.join(" ")}"`).join(" "),
  gridTemplateColumns: toGridTracks(columns),
  gridTemplateRows: toGridTracks(heights),
});

const toGridTracks = (parts: readonly number[]): string => parts.map((part) => `minmax(0, ${part}fr)`).join(" ");

/** Covers the planes while there is nothing to show. */
function StatusCover({ load, isLost }: { load: VolumeLoad; isLost: boolean }) {
  const t = useTexts("viewer");
  if (!isLost && load.stage !== "waiting") return null;
  const { fault } = load;
  return (
    <div className={styles.cover}>
      {isLost ? (
        <Loading label={t("viewer.contextLost")} />
      ) : fault ? (
        <Failed label={t(`viewer.failed.${fault.reason}`)} onRetry={fault.retry} />
      ) : (
        <Loading label={t("viewer.loading.volume")} />
      )}
    </div>
  );
}
