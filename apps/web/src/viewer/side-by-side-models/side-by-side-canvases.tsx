import { IconLink, IconLinkOff } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { cameraViewNames } from "@arcada/imaging/view/model-camera";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { Failed, Loading } from "../ui/page/status-messages.tsx";
import { SingleModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import { useGestures } from "../ui/input/use-gestures.ts";
import { buildZoomShortcuts, buildZoomTools } from "../ui/toolbar/zoom-tools.tsx";
import { buildViewTools } from "../model/view-tools.ts";
import { isCoarse, isNothingDrawn } from "../model/mesh/use-meshes.ts";
import { OrientationMenu } from "../model/orientation/orientation-menu.tsx";
import { OrientationNotice } from "../model/orientation/orientation-notice.tsx";
import { SceneOrientationMarkers } from "../model/orientation/scene-orientation-markers.tsx";
import { withViewReset } from "../model/orientation/use-orientation.ts";
import type { ModelAddresses, SceneModel } from "../model/scene-model.ts";
import { useModelCamera, type CameraControls, type CameraSubject } from "../model/rendering/use-model-camera.ts";
import styles from "./side-by-side-models.module.css";
import { useSideRendering, useSideView, type SideView } from "./use-one-side.ts";

export interface ModelSide {
  label: string;
  models: readonly SceneModel[];
}

interface Props {
  left: ModelSide;
  right: ModelSide;
  renew: (id: string) => Promise<ModelAddresses | null>;
}

/** Two canvases under one camera, or each under its own. */
export function SideBySideCanvases({ left, right, renew }: Props) {
  const t = useTexts("viewer");
  const [one, other] = [useSideView(left.models, renew), useSideView(right.models, renew)];
  const [isLinked, setLinked] = useState(true);
  const combinedSubject = useMemo(() => mergeSubjects(one.subject, other.subject), [one.subject, other.subject]);
  const first = useModelCamera(isLinked ? combinedSubject : one.subject, one.size);
  const second = useModelCamera(isLinked ? combinedSubject : other.subject, other.size);
  const toggle = () => {
    // Each continues from the shared camera.
    if (isLinked && first.camera) for (const controls of [first, second]) controls.setCamera(first.camera);
    setLinked(!isLinked);
  };
  const controlSets = isLinked ? [first] : [first, second];
  return (
    <>
      <SideBySideTools controls={combineControls(controlSets)} isLinked={isLinked} onLink={toggle} />
      <div className={styles.panes}>
        <ModelViewport side={left} view={one} controls={first} />
        <ModelViewport side={right} view={other} controls={isLinked ? first : second} />
      </div>
      <p className={styles.help}>{t("viewer.pair.help")}</p>
    </>
  );
}

type CombinedControls = Pick<CameraControls, "showView" | "orbit" | "pan" | "zoom" | "fit">;

/** Buttons and keys move both sides. */
const combineControls = (controlSets: readonly CameraControls[]): CombinedControls => ({
  showView: (view) => controlSets.forEach((each) => each.showView(view)),
  orbit: (by) => controlSets.forEach((each) => each.orbit(by)),
  pan: (by) => controlSets.forEach((each) => each.pan(by)),
  zoom: (factor) => controlSets.forEach((each) => each.zoom(factor)),
  fit: () => controlSets.forEach((each) => each.fit()),
});

interface ToolsProps {
  controls: CombinedControls;
  isLinked: boolean;
  onLink: () => void;
}

const step = 24;

function SideBySideTools({ controls, isLinked, onLink }: ToolsProps) {
  const t = useTexts("viewer");
  useShortcuts({
    ...Object.fromEntries(cameraViewNames.map((name, at) => [String(at + 1), () => controls.showView(name)])),
    ArrowLeft: () => controls.orbit([-step, 0]),
    ArrowRight: () => controls.orbit([step, 0]),
    ArrowUp: () => controls.orbit([0, -step]),
    ArrowDown: () => controls.orbit([0, step]),
    L: onLink,
    ...buildZoomShortcuts(controls),
  });
  const [zoomIn, zoomOut, fit] = buildZoomTools(t, controls);
  const link: ViewerTool = {
    id: "link",
    label: t("viewer.pair.link"),
    icon: isLinked ? IconLink : IconLinkOff,
    keys: "L",
    isOn: isLinked,
    onPress: onLink,
  };
  return <SingleModeToolbar bar={[...buildViewTools(t, controls), fit, link]} more={[zoomIn, zoomOut]} />;
}

function ModelViewport({ side, view, controls }: { side: ModelSide; view: SideView; controls: CameraControls }) {
  const t = useTexts("viewer");
  const { viewportRef, host, meshes, orientation } = view;
  const renderState = useSideRendering(view, side.models, controls.camera);
  useGestures(viewportRef, {
    drag: (_, by, button) => (button === 1 || button === 2 ? controls.pan(by) : controls.orbit(by)),
    pinch: (at, factor, by) => controls.zoom(factor, at, by),
    wheel: (at, notches) => controls.zoom(Math.exp(-notches * 0.2), at),
  });
  const failed = [...meshes.loads.values()].find((load) => load.state === "failed");
  const isWaiting = side.models.length > 0 && isNothingDrawn(meshes.loads);
  return (
    <figure className={styles.side}>
      <figcaption className={styles.label}>{side.label}</figcaption>
      <div ref={viewportRef} className={styles.pane} role="group" aria-label={side.label} tabIndex={0}>
        <div ref={host} className={styles.host} aria-hidden />
        {controls.camera && (
          <SceneOrientationMarkers camera={controls.camera} orientation={orientation} onView={controls.showView} />
        )}
        <OrientationMenu orientation={withViewReset(orientation, controls)} />
        <OrientationNotice orientation={withViewReset(orientation, controls)} />
        {renderState === "absent" && <Failed label={t("viewer.no3d")} />}
        {isWaiting && renderState !== "absent" && (
          <div className={styles.cover}>
            <Loading label={t("viewer.loading.models")} />
          </div>
        )}
        {isCoarse(meshes.loads) && (
          <p className={styles.note} role="status">
            {t("viewer.model.coarse")}
          </p>
        )}
        {failed && (
          <p className={styles.fault} role="alert">
            {t(`viewer.failed.${failed.reason}`)}
          </p>
        )}
      </div>
    </figure>
  );
}

/** One box around the models of both sides, so that a millimetre has the same length on both. */
function mergeSubjects(one: CameraSubject | null, other: CameraSubject | null): CameraSubject | null {
  if (!one || !other) return one ?? other;
  const side = (axis: 0 | 1 | 2, end: "min" | "max") => Math[end](one.box[end][axis], other.box[end][axis]);
  return {
    ...one,
    box: {
      min: [side(0, "min"), side(1, "min"), side(2, "min")],
      max: [side(0, "max"), side(1, "max"), side(2, "max")],
    },
  };
}
