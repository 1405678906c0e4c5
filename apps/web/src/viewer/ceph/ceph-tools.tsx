import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconContrast2,
  IconContrastFilled,
  IconDeviceFloppy,
  IconFlipHorizontal,
  IconHandStop,
  IconMoodNeutral,
  IconRefresh,
  IconRotateClockwise,
  IconTag,
  IconTarget,
  IconVectorSpline,
  IconZoomScan,
  type Icon,
} from "@tabler/icons-react";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { useTexts } from "../../i18n/texts.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { ToolButton, ToolbarGap, Toolbar } from "../ui/toolbar/toolbar.tsx";
import { ZoomTools, buildZoomShortcuts } from "../ui/toolbar/zoom-tools.tsx";
import type { LoadedImage, ImageFile } from "../image/loading/load-image.ts";
import { DisplaySettingsPanel } from "../image/display-settings/display-settings-panel.tsx";
import type { ImageControls } from "../image/use-image-view.ts";
import { TracingActions } from "./tracing-actions.tsx";
import type { LandmarkGuide } from "./use-landmark-guide.ts";
import type { Tracing } from "./use-tracing.ts";

export type CephTool = "place" | "window" | "pan";
export interface LayerVisibility {
  labels: boolean;
  lines: boolean;
  lens: boolean;
  profile: boolean;
}

interface Props {
  tool: CephTool;
  onTool: (tool: CephTool) => void;
  controls: ImageControls;
  loaded: LoadedImage;
  file: ImageFile | null;
  tracing: Tracing;
  guide: LandmarkGuide;
  radiograph: { studyId: string; instanceId: string };
  analysis: CephAnalysis;
  visibility: LayerVisibility;
  onVisibilityChange: (change: Partial<LayerVisibility>) => void;
  hasProfile: boolean;
  placeAtEstimate: () => void;
}

export function CephTools(props: Props) {
  const t = useTexts("ceph", "viewer");
  const {
    tool,
    onTool,
    controls,
    loaded,
    file,
    tracing,
    radiograph,
    analysis,
    visibility,
    onVisibilityChange,
    hasProfile,
  } = props;
  const toggle = (name: keyof LayerVisibility) => () => onVisibilityChange({ [name]: !visibility[name] });
  useCephShortcuts(props, toggle);
  const choice = (name: CephTool, label: TextKey, icon: Icon, keys: string) => (
    <ToolButton label={t(label)} icon={icon} keys={keys} isOn={tool === name} onPress={() => onTool(name)} />
  );
  return (
    <Toolbar>
      {tracing.maySave && choice("place", "ceph.tool.place", IconTarget, "P")}
      {choice("window", "viewer.tool.window", IconContrastFilled, "W")}
      {choice("pan", "viewer.tool.pan", IconHandStop, "H")}
      <ToolbarGap />
      {tracing.maySave && <SaveTools tracing={tracing} />}
      <ToolButton
        label={t("ceph.tool.lines")}
        icon={IconVectorSpline}
        keys="T"
        isOn={visibility.lines}
        onPress={toggle("lines")}
      />
      <ToolButton
        label={t("ceph.tool.labels")}
        icon={IconTag}
        keys="L"
        isOn={visibility.labels}
        onPress={toggle("labels")}
      />
      {hasProfile && (
        <ToolButton
          label={t("ceph.tool.profile")}
          icon={IconMoodNeutral}
          isOn={visibility.profile}
          onPress={toggle("profile")}
        />
      )}
      <ToolButton
        label={t("viewer.tool.lens")}
        icon={IconZoomScan}
        keys="M"
        isOn={visibility.lens}
        onPress={toggle("lens")}
      />
      <ToolbarGap />
      <DisplaySettingsPanel controls={controls} loaded={loaded} file={file} />
      <ViewTools controls={controls} />
      <ToolbarGap />
      <TracingActions radiograph={radiograph} tracing={tracing} analysis={analysis} />
    </Toolbar>
  );
}

function useCephShortcuts(
  { onTool, controls, tracing, guide, placeAtEstimate }: Props,
  toggle: (name: keyof LayerVisibility) => () => void,
): void {
  useShortcuts({
    ...buildZoomShortcuts({ zoom: controls.zoomBy, fit: controls.fit }),
    W: () => onTool("window"),
    H: () => onTool("pan"),
    L: toggle("labels"),
    T: toggle("lines"),
    M: toggle("lens"),
    I: controls.invert,
    R: () => controls.rotate(1),
    F: controls.mirror,
    Home: controls.reset,
    ...(tracing.maySave && {
      P: () => onTool("place"),
      N: guide.next,
      Enter: placeAtEstimate,
      Delete: () => guide.active && tracing.remove(guide.active),
      "Ctrl+S": () => void tracing.save(),
      "Ctrl+Z": tracing.undo,
      "Ctrl+Shift+Z": tracing.redo,
      "Ctrl+Y": tracing.redo,
    }),
  });
}

function ViewTools({ controls }: Pick<Props, "controls">) {
  const t = useTexts("viewer");
  const { displaySettings, invert, zoomBy, fit, isFitted, rotate, mirror, reset } = controls;
  return (
    <>
      <ToolButton
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={displaySettings.inverted}
        onPress={invert}
      />
      <ZoomTools zoom={zoomBy} fit={fit} isFitted={isFitted} />
      <ToolButton label={t("viewer.turnRight")} icon={IconRotateClockwise} keys="R" onPress={() => rotate(1)} />
      <ToolButton label={t("viewer.mirror")} icon={IconFlipHorizontal} keys="F" onPress={mirror} />
      <ToolButton label={t("viewer.reset")} icon={IconRefresh} keys="Home" onPress={reset} />
    </>
  );
}

function SaveTools({ tracing }: { tracing: Tracing }) {
  const t = useTexts("ceph", "viewer");
  const { undo, redo, canUndo, canRedo, save, isChanged, isSaving } = tracing;
  return (
    <>
      <ToolButton
        label={t("ceph.tool.save")}
        icon={IconDeviceFloppy}
        keys="Ctrl+S"
        disabled={!isChanged || isSaving}
        onPress={() => void save()}
      />
      <ToolButton label={t("viewer.undo")} icon={IconArrowBackUp} keys="Ctrl+Z" disabled={!canUndo} onPress={undo} />
      <ToolButton
        label={t("viewer.redo")}
        icon={IconArrowForwardUp}
        keys="Ctrl+Shift+Z"
        disabled={!canRedo}
        onPress={redo}
      />
      <ToolbarGap />
    </>
  );
}
