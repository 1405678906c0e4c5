import { useRef } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { ViewportCorner } from "../ui/viewport/viewport-corner.tsx";
import { Loading, NothingToShow } from "../ui/page/status-messages.tsx";
import { useClientSize } from "../ui/viewport/use-client-size.ts";
import { NoWebglNotice } from "../ui/page/no-webgl-notice.tsx";
import { ToolPrompt } from "../annotations/drawing/tool-prompt.tsx";
import { AnnotationLayer } from "../annotations/layer/annotation-layer.tsx";
import { AnnotationSaveStatus } from "../annotations/store/annotation-save-status.tsx";
import { useUnsavedAnnotations } from "../annotations/store/use-temporary-annotations.ts";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { AlignPoints } from "./align/align-points.tsx";
import { ComparePanel } from "./distance-map/compare-models-panel.tsx";
import { DistanceLegend } from "./distance-map/distance-legend.tsx";
import { ModelList } from "./model-list.tsx";
import styles from "./model-viewer.module.css";
import { ModelToolbar } from "./model-toolbar.tsx";
import { OrientationMenu } from "./orientation/orientation-menu.tsx";
import { OrientationNotice } from "./orientation/orientation-notice.tsx";
import { SceneOrientationMarkers } from "./orientation/scene-orientation-markers.tsx";
import { PinLayer } from "./pins/pin-layer.tsx";
import { PinPanel } from "./pins/pin-panel.tsx";
import type { Pin } from "./pins/use-pins.ts";
import type { SceneModel } from "./scene-model.ts";
import { SectionHandles } from "./section/section-handles.tsx";
import { SectionKeys, SectionPanel } from "./section/section-panel.tsx";
import { SidePanel } from "./side-panel.tsx";
import { useModelViewer, type ModelViewerState, type ModelViewerInputs } from "./use-model-viewer.ts";
import { formatNumber } from "../../i18n/format.ts";
import { isCoarse, isNothingDrawn, type MeshLoad } from "./mesh/use-meshes.ts";
import type { ModelDrawing } from "./use-model-annotations.ts";

interface Props extends ModelViewerInputs {
  models: readonly SceneModel[];
  annotations: AnnotationStore | undefined;
}

/**
 * Models in 3D with their tools, and beside them the panels for the models, the section, the comparison and the
 * comments.
 */
export function ModelViewer({ models, annotations: stored, ...given }: Props) {
  const t = useTexts("viewer");
  const viewport = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const size = useClientSize(viewport);
  const own = useUnsavedAnnotations();
  const annotations = stored ?? own;
  const viewer = useModelViewer(models, annotations, given, { viewport, host, size });
  const { tool, switches, controls, drawing } = viewer;
  if (models.length === 0) return <NothingToShow label={t("viewer.noModels")} />;
  if (viewer.rendererState === "absent")
    return (
      <NoWebglNotice
        images={models.flatMap(({ id, name, thumbnailUrl }) => (thumbnailUrl ? [{ id, name, thumbnailUrl }] : []))}
      />
    );
  const background = switches.isLight ? (styles.light ?? "") : "";
  const cursorClass = tool === "turn" || tool === "pan" ? "" : (styles.aim ?? "");
  return (
    <>
      <ModelToolbar {...{ tool, controls, annotations, drawing, switches }} onTool={viewer.setTool} />
      <SectionKeys section={viewer.section} />
      <div className={styles.stage}>
        <div
          ref={viewport}
          className={`${styles.pane} ${background} ${cursorClass}`}
          role="group"
          aria-label={t("viewer.kind.models")}
          tabIndex={0}
        >
          <div ref={host} className={styles.host} aria-hidden />
          <Overlays viewer={viewer} />
          <ViewportCorner at="topRight">
            <AnnotationSaveStatus annotations={annotations} />
          </ViewportCorner>
          <ViewportCorner at="topLeft">
            {viewer.notice && <span role="status">{viewer.notice}</span>}
            {isCoarse(viewer.meshes.loads) && <span role="status">{t("viewer.model.coarse")}</span>}
            <StreamingCopyNote models={models} loads={viewer.meshes.loads} drawing={drawing} />
          </ViewportCorner>
          <OrientationMenu orientation={viewer.orientation} />
          <OrientationNotice orientation={viewer.orientation} />
          <LoadingCover viewer={viewer} />
          <ToolPrompt tool={tool} draft={drawing.draft} />
        </div>
        <SidePanels viewer={viewer} models={models} compares={given.compares} />
      </div>
    </>
  );
}

interface StreamingCopyNoteProps {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  drawing: ModelDrawing;
}

/** Notes that measurements were taken on streaming copies, and the largest error of those. */
function StreamingCopyNote({ models, loads, drawing }: StreamingCopyNoteProps) {
  const t = useTexts("viewer");
  const measured = new Set(drawing.items.map(({ instanceId }) => instanceId));
  const errors = models.flatMap(({ id, glb }) => {
    const load = loads.get(id);
    return glb && measured.has(id) && load?.state === "ready" && load.mesh.isStreamingCopy ? [glb.error] : [];
  });
  if (errors.length === 0) return null;
  return <span>{t("viewer.model.onLight", { um: formatNumber(1000 * Math.max(...errors), 1) })}</span>;
}

/** The overlays of the image. */
function Overlays({ viewer }: { viewer: ModelViewerState }) {
  const { drawing, pick, scene, section, pins, align, map } = viewer;
  return (
    <>
      <AnnotationLayer
        annotations={drawing.shown}
        chosen={drawing.chosen}
        onChoose={drawing.choose}
        onMove={(id, index, to, isOver) => {
          const hit = pick(to);
          drawing.movePoint(id, index, hit && drawing.toModelSpace(hit, id).point, isOver);
        }}
      />
      {scene && (
        <>
          <SceneOrientationMarkers
            camera={scene.camera}
            orientation={viewer.orientation}
            onView={viewer.controls.showView}
          />
          <SectionHandles section={section} camera={scene.camera} size={scene.size} line={viewer.line} />
          <AlignPoints align={align} scene={scene} />
          <PinLayer pins={pins} scene={scene} pick={pick} onOpen={(id) => openPin(viewer, id)} />
        </>
      )}
      <DistanceLegend map={map} />
    </>
  );
}

function openPin({ pins, setTab }: ModelViewerState, id: string): void {
  pins.choose(id);
  setTab("pins");
}

function SidePanels({ viewer, models, compares }: { viewer: ModelViewerState } & Pick<Props, "models" | "compares">) {
  const { meshes, displaySettings, section, controls, map, align, pins, scene } = viewer;
  const showPin = (pin: Pin) => {
    pins.choose(pin.id);
    const normal = scene?.surfaces.get(pin.model)?.normalAt(pin.point);
    if (normal) controls.faceDirection(pin.point, normal);
  };
  return (
    <SidePanel
      tab={viewer.tab}
      onTab={viewer.setTab}
      panels={{
        models: (
          <ModelList
            models={models}
            loads={meshes.loads}
            displaySettings={displaySettings}
            onRetry={meshes.retry}
            onLoadSource={meshes.loadSourceFile}
          />
        ),
        section: <SectionPanel {...{ section, models, displaySettings, controls }} />,
        compare: (
          <ComparePanel
            {...{ models, map, align }}
            initial={compares && { kind: "version", ...compares }}
            ready={viewer.ready}
            aligned={viewer.aligned}
            onShow={(...pair) => {
              // A view of one jaw hides the other.
              if (pair.every((id) => displaySettings.effective.get(id)?.isVisible ?? true)) controls.fit();
              else controls.showView("front");
            }}
          />
        ),
        pins: <PinPanel pins={pins} onShow={showPin} />,
      }}
    />
  );
}

function LoadingCover({ viewer }: { viewer: ModelViewerState }) {
  const t = useTexts("viewer");
  if (viewer.rendererState === "lost") return <Cover label={t("viewer.contextLost")} />;
  return isNothingDrawn(viewer.meshes.loads) ? <Cover label={t("viewer.loading.models")} /> : null;
}

const Cover = ({ label }: { label: string }) => (
  <div className={styles.cover}>
    <Loading label={label} />
  </div>
);
