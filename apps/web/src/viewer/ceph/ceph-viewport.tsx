import { IconTarget } from "@tabler/icons-react";
import { useState } from "react";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { Instance } from "@arcada/contract/study/study.schema";
import { quarterTurnsToUpright } from "@arcada/analysis/ceph/normalised-tracing";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { useTexts } from "../../i18n/texts.ts";
import { PromptLine } from "../annotations/drawing/tool-prompt.tsx";
import type { LoadedImage } from "../image/loading/load-image.ts";
import { maskOutsideLens } from "../image/layers/viewport-layers.tsx";
import pane from "../image/image-viewport.module.css";
import type { ViewportLens } from "../image/use-lens.ts";
import { TracingLayer, type LandmarkSuggestion } from "./tracing-layer.tsx";
import { CephTools, type CephTool } from "./ceph-tools.tsx";
import styles from "./ceph.module.css";
import { useCephPointerHandler } from "./use-ceph-pointer-handler.ts";
import { RadiographBanner } from "./radiograph-banner.tsx";
import type { RadiographReading } from "./use-radiograph-reading.ts";
import { useRadiographView } from "./use-radiograph-view.ts";
import type { LandmarkGuide, DraggedLandmark } from "./use-landmark-guide.ts";
import type { PointCalibration } from "./use-point-calibration.ts";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  radiograph: { studyId: string; instanceId: string };
  instance: Instance;
  loaded: LoadedImage;
  record: CephOpened;
  tracing: Tracing;
  guide: LandmarkGuide;
  pointCalibration: PointCalibration;
  analysis: CephAnalysis;
  reading: RadiographReading;
  onOpenScale: () => void;
  /** Puts the active landmark at its likely place, for users who work without a pointer. */
  placeAtEstimate: () => void;
}

/** The radiograph under its tracing, with the tools for both. */
export function CephViewport({
  instance,
  loaded,
  record,
  tracing,
  guide,
  pointCalibration,
  reading,
  onOpenScale,
  ...rest
}: Props) {
  const file = instance.picture;
  const [tool, setTool] = useState<CephTool>(tracing.maySave ? "place" : "pan");
  const [visibility, setVisibility] = useState({ labels: true, lines: true, lens: true, profile: false });
  const [dragged, setDragged] = useState<DraggedLandmark | null>(null);
  const [turns] = useState(() => quarterTurnsToUpright(tracing.content));
  const radiograph = useRadiographView(
    instance,
    loaded,
    turns,
    visibility.lens && (tool === "place" || dragged !== null),
  );
  const { viewportRef, host, controls, lensControls, lens, matrix, toImagePoint } = radiograph;
  const range = file ? file.max - file.min : 256;
  useCephPointerHandler(viewportRef, {
    tool,
    tracing,
    guide,
    pointCalibration,
    controls,
    lensControls,
    toImagePoint,
    dragged,
    setDragged,
    matrix,
    range,
  });
  const { active } = guide;
  const { profile } = record.proposals;
  return (
    <div className={styles.stage}>
      <CephTools
        {...{ tool, controls, loaded, file, tracing, guide, visibility, ...rest }}
        hasProfile={profile !== null}
        onTool={setTool}
        onVisibilityChange={(change) => setVisibility((now) => ({ ...now, ...change }))}
      />
      <RadiographBanner {...{ reading, controls, file, tracing, guide, onOpenScale }} />
      <div ref={viewportRef} className={`${pane.pane} ${tool === "place" ? pane.drawn : pane[tool]}`}>
        <div ref={host} className={pane.host} />
        {matrix && (
          <div className={pane.layers} style={lens ? { maskImage: maskOutsideLens(lens) } : undefined}>
            <TracingLayer
              {...{ matrix, visibility, active, pointCalibration, toImagePoint }}
              content={withDraggedLandmark(tracing.content, dragged)}
              suggestions={tracing.maySave ? listSuggestions(reading, guide, tracing.content) : []}
              foundRuler={tracing.content.calibration === null ? reading.ruler.line : null}
              profile={visibility.profile ? profile : null}
              mayMove={tracing.maySave && !pointCalibration.points}
              onChoose={guide.select}
              onDrag={(next, at) => {
                setDragged(next);
                lensControls.show(next && at, true);
              }}
              onPlace={(landmark, spot) => {
                setDragged(null);
                lensControls.show(null);
                tracing.place(landmark, spot);
              }}
            />
          </div>
        )}
        {lens && <LensRim lens={lens} />}
        <LandmarkPrompt active={tool === "place" && tracing.maySave && !pointCalibration.points ? active : null} />
      </div>
    </div>
  );
}

/** Tells which landmark the next click places, and where it lies. */
function LandmarkPrompt({ active }: Pick<LandmarkGuide, "active">) {
  const t = useTexts("ceph");
  return <PromptLine icon={IconTarget} text={active && t(`ceph.landmark.${active}`)} />;
}

/** The suggestions for landmarks of the set that are still missing. */
const listSuggestions = (
  { suggestions, spreads }: RadiographReading,
  guide: LandmarkGuide,
  { landmarks }: Tracing["content"],
): LandmarkSuggestion[] =>
  guide.landmarks.flatMap(({ id }) =>
    suggestions[id] && !landmarks[id] ? [{ id, at: suggestions[id], spread: spreads[id] ?? null }] : [],
  );

const withDraggedLandmark = (content: Tracing["content"], dragged: DraggedLandmark | null): Tracing["content"] =>
  dragged ? { ...content, landmarks: { ...content.landmarks, [dragged.landmark]: dragged.spot } } : content;

function LensRim({ lens: { at, radius } }: { lens: ViewportLens }) {
  const side = radius * 2;
  return (
    <div className={pane.rim} style={{ left: at[0] - radius, top: at[1] - radius, width: side, height: side }}>
      <span className={styles.cross} aria-hidden />
    </div>
  );
}
