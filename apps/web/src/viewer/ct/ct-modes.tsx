import {
  IconArrowsVertical,
  IconContrast2,
  IconContrastFilled,
  IconCrosshair,
  IconHandStop,
  IconLayoutGrid,
  IconRefresh,
  IconSparkles,
} from "@tabler/icons-react";
import { segmentationCalls } from "@arcada/contract/study/segmentation.calls";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { annotationToolRows } from "../annotations/annotation-tool-rows.ts";
import type { AnnotationTools } from "../annotations/use-annotation-tools.tsx";
import type { PointerToolsByMode } from "../ui/modes/use-viewer-mode.ts";
import type { ModeTools, PressTool, ViewerTool } from "../ui/modes/viewer-tool.ts";
import { buildPointerTools, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { buildZoomTools } from "../ui/toolbar/zoom-tools.tsx";
import { archToolRows, buildArchPanelTool } from "./arch/arch-tools.tsx";
import { buildSegmentationTool } from "./arch/segmentation/segmentation-tool.tsx";
import { buildZoomActions } from "./ct-shortcuts.ts";
import type { CtViewerState } from "./layout/viewport-props.ts";
import { buildDisplayTools } from "./settings/display-settings-panels.tsx";
import { getPresetWindow, presetNames } from "./settings/window-presets.ts";
import type { CtTool } from "./use-ct-controls.ts";
import { buildAirwayTool } from "./volume-rendering/airway/airway-panel.tsx";
import { useRendering } from "./volume-rendering/rendering-context.tsx";

const pointerTools: ToolItems<CtTool> = [
  { name: "cross", icon: IconCrosshair, keys: "C" },
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "scroll", icon: IconArrowsVertical, keys: "S" },
];
const measuringTools: ToolItems<CtTool> = annotationToolRows([
  "length",
  "angle",
  "ellipse",
  "arrow",
  "text",
  "path",
  "cobb",
  "ratio",
  "profile",
  "rectangle",
]);
/** All pointer tools of a volume, with their keys. */
export const ctPointerTools: ToolItems<CtTool> = [...pointerTools, ...measuringTools, ...archToolRows];

export const ctToolsByMode: PointerToolsByMode<CtTool> = {
  read: ["cross", "window", "pan", "scroll"],
  measure: measuringTools.map(({ name }) => name),
  implant: ["cross", "arch", "canal", "implant", "root", "sinus"],
  export: ["cross", "window", "arrow", "text"],
};

/** The modes of a volume with their tools. */
export function useCtModes(
  parts: CtViewerState,
  tools: AnnotationTools,
  exportTools: readonly ViewerTool[],
): ModeTools[] {
  const t = useTexts("viewer");
  const { airway } = useRendering();
  const { store, controls } = parts;
  const pointer = Object.fromEntries(
    buildPointerTools(t, ctPointerTools, controls.tool, controls.setTool).map((tool) => [tool.id, tool]),
  );
  const pick = (...names: CtTool[]): PressTool[] => names.flatMap((name) => pointer[name] ?? []);
  const maySegment = useCanAccess(segmentationCalls.segmentation) && parts.annotations.studyId !== null;
  const segmentation = maySegment ? [buildSegmentationTool(t, parts)] : [];
  const view = buildViewTools(t, parts);
  const [windowValues, slab, rotation] = buildDisplayTools(t, store, controls);
  const [zoomIn, zoomOut, fit] = buildZoomTools(t, buildZoomActions(parts));
  return [
    {
      name: "read",
      bar: [...pick("cross", "window"), view.presets, ...pick("pan", "scroll"), slab, view.enlarge, view.reset],
      more: [view.invert, windowValues, rotation, zoomIn, zoomOut, fit],
    },
    {
      name: "measure",
      bar: [
        ...pick("length", "angle", "ellipse"),
        buildAirwayTool(t, parts, airway.plan !== null),
        ...pick("arrow", "text"),
        tools.colour,
        tools.remove,
      ],
      more: [...pick("path", "cobb", "ratio", "profile", "rectangle"), ...tools.versions],
    },
    {
      name: "implant",
      bar: [...pick("cross", "arch", "canal", "implant", "root", "sinus"), buildArchPanelTool(t, parts), tools.remove],
    },
    { name: "export", bar: [...pick("cross", "window", "arrow", "text"), ...exportTools, ...segmentation] },
  ];
}

function buildViewTools(t: Translate, { store, controls }: CtViewerState) {
  const { active, enlarged, toggleEnlarged, reset, displaySettings, invert } = controls;
  return {
    presets: {
      id: "presets",
      label: t("viewer.window.presets"),
      icon: IconSparkles,
      items: presetNames.map((name, at) => ({
        key: name,
        label: t(`viewer.window.${name}`),
        keys: String(at + 1),
        onPress: () => controls.setWindow(getPresetWindow(name, store)),
      })),
    },
    invert: {
      id: "invert",
      label: t("viewer.invert"),
      icon: IconContrast2,
      keys: "I",
      isOn: displaySettings.inverted,
      onPress: invert,
    },
    enlarge: {
      id: "enlarge",
      label: t("viewer.onePlane"),
      icon: IconLayoutGrid,
      keys: "V",
      isOn: enlarged !== null,
      onPress: () => toggleEnlarged(enlarged ?? active),
    },
    reset: { id: "reset", label: t("viewer.reset"), icon: IconRefresh, keys: "R", onPress: reset },
  } satisfies Record<string, ViewerTool>;
}
