import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconContrast2,
  IconContrastFilled,
  IconDeviceFloppy,
  IconHandStop,
  IconMoodNeutral,
  IconTag,
  IconTarget,
  IconVectorSpline,
  IconZoomScan,
} from "@tabler/icons-react";
import { useState } from "react";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { useOpenScreen, useSearchParams } from "../../browser/navigation.tsx";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { buildLookTool, buildViewTools } from "../image/image-modes.tsx";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { ModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import type { ModeTools, ViewerMode, ViewerTool } from "../ui/modes/viewer-tool.ts";
import { buildPointerTools } from "../ui/toolbar/tool-buttons.tsx";
import { buildZoomShortcuts, buildZoomTools } from "../ui/toolbar/zoom-tools.tsx";
import type { LoadedImage, ImageFile } from "../image/loading/load-image.ts";
import type { ImageControls } from "../image/use-image-view.ts";
import { useTracingActions } from "./use-tracing-actions.tsx";
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

/** The toolbar of a tracing. The modes of the image itself, reading and measuring, are on the page of the viewer. */
export function CephTools(props: Props) {
  const t = useTexts("ceph", "viewer");
  const { tracing, radiograph, analysis, visibility, onVisibilityChange } = props;
  const [mode, setMode] = useState<ViewerMode>("ceph");
  const go = useOpenScreen();
  const { order } = useSearchParams();
  const toggle = (name: keyof LayerVisibility) => () => onVisibilityChange({ [name]: !visibility[name] });
  useCephShortcuts(props, toggle);
  const actions = useTracingActions({ radiograph, tracing, analysis });
  const [undo, redo, save] = buildSaveTools(t, tracing);
  const { bar, more } = buildTracingTools(t, props, toggle);
  const look = buildLookTool(t, props);
  const openViewer = (wanted?: "measure") => () =>
    go("viewer", { study: radiograph.studyId, item: radiograph.instanceId, order, mode: wanted });
  const modes: ModeTools[] = [
    { name: "read", bar: [], open: openViewer() },
    { name: "measure", bar: [], open: openViewer("measure") },
    { name: "ceph", bar, more: [...more, look, ...actions.remove] },
    { name: "export", bar: [...bar.filter(({ id }) => exportBar.includes(id)), look, ...actions.exports] },
  ];
  return (
    <>
      <ModeToolbar modes={modes} mode={mode} onMode={setMode} common={tracing.maySave ? [undo, redo, save] : []} />
      {actions.dialog}
    </>
  );
}

/** A user chooses before the export what the image shows of the tracing. */
const exportBar = ["window", "lines", "labels"];

function buildTracingTools(t: Translate, props: Props, toggle: (name: keyof LayerVisibility) => () => void) {
  const { tool, onTool, controls, tracing, visibility, hasProfile } = props;
  const place: ViewerTool = {
    id: "place",
    label: t("ceph.tool.place"),
    icon: IconTarget,
    keys: "P",
    isOn: tool === "place",
    onPress: () => onTool("place"),
  };
  const pointer = buildPointerTools(
    t,
    [
      { name: "window", icon: IconContrastFilled, keys: "W" },
      { name: "pan", icon: IconHandStop, keys: "H" },
    ],
    tool,
    onTool,
  );
  const layer = (id: keyof LayerVisibility, label: string, icon: ViewerTool["icon"], keys?: string): ViewerTool => ({
    id,
    label,
    icon,
    isOn: visibility[id],
    onPress: toggle(id),
    ...(keys !== undefined && { keys }),
  });
  const view = buildViewTools(t, controls);
  const [zoomIn, zoomOut, fit] = buildZoomTools(t, {
    zoom: controls.zoomBy,
    fit: controls.fit,
    isFitted: controls.isFitted,
  });
  const invert: ViewerTool = {
    id: "invert",
    label: t("viewer.invert"),
    icon: IconContrast2,
    keys: "I",
    isOn: controls.displaySettings.inverted,
    onPress: controls.invert,
  };
  return {
    bar: [
      ...(tracing.maySave ? [place] : []),
      ...pointer,
      layer("lens", t("viewer.tool.lens"), IconZoomScan, "M"),
      layer("lines", t("ceph.tool.lines"), IconVectorSpline, "T"),
      layer("labels", t("ceph.tool.labels"), IconTag, "L"),
      ...(hasProfile ? [layer("profile", t("ceph.tool.profile"), IconMoodNeutral)] : []),
      fit,
    ],
    more: [zoomIn, zoomOut, invert, view.turnRight, view.mirror, view.reset],
  };
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

function buildSaveTools(
  t: Translate,
  { undo, redo, canUndo, canRedo, save, isChanged, isSaving }: Tracing,
): [undo: ViewerTool, redo: ViewerTool, save: ViewerTool] {
  return [
    {
      id: "undo",
      label: t("viewer.undo"),
      icon: IconArrowBackUp,
      keys: "Ctrl+Z",
      disabled: !canUndo,
      onPress: undo,
    },
    {
      id: "redo",
      label: t("viewer.redo"),
      icon: IconArrowForwardUp,
      keys: "Ctrl+Shift+Z",
      disabled: !canRedo,
      onPress: redo,
    },
    {
      id: "save",
      label: t("ceph.tool.save"),
      icon: IconDeviceFloppy,
      keys: "Ctrl+S",
      disabled: !isChanged || isSaving,
      onPress: () => void save(),
    },
  ];
}
