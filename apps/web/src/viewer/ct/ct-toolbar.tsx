import { IconLayout, IconListDetails } from "@tabler/icons-react";
import { rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import type { RefObject } from "react";
import { useAppearance } from "../../browser/appearance.ts";
import { useTexts } from "../../i18n/texts.ts";
import { annotationShortcuts } from "../annotations/annotation-shortcuts.ts";
import { useAnnotationTools } from "../annotations/use-annotation-tools.tsx";
import { useExportTools } from "../export/use-export-tools.ts";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { ModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import { useViewerMode } from "../ui/modes/use-viewer-mode.ts";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import { buildToolShortcuts } from "../ui/toolbar/tool-buttons.tsx";
import { getViewportDefinition, type LayoutName, type ViewportId } from "../ct-core/viewport-layouts.ts";
import { describePlan } from "./arch/implant-plan/plan-announcer.tsx";
import { ctPointerTools, ctToolsByMode, useCtModes } from "./ct-modes.tsx";
import { buildPlaneShortcuts, cycleNext } from "./ct-shortcuts.ts";
import { LayoutSketch } from "./layout/layout-sketch.tsx";
import { listAvailableLayouts } from "./layout/viewport-components.ts";
import type { CtViewerState } from "./layout/viewport-props.ts";
import { getPresetWindow, presetNames } from "./settings/window-presets.ts";

interface Props {
  parts: CtViewerState;
  layout: LayoutName;
  onLayout: (name: LayoutName) => void;
  /** The viewports that are on the screen. */
  shown: readonly ViewportId[];
  /** The element that contains all viewports. */
  grid: RefObject<HTMLElement | null>;
  hasDetails: boolean;
  onDetails: () => void;
}

export function CtToolbar({ parts, layout, onLayout, shown, grid, hasDetails, onDetails }: Props) {
  const { store, controls, annotations, drawing } = parts;
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  const tools = useAnnotationTools(annotations, drawing);
  const isDrawnCoarse =
    parts.load.stage === "full" &&
    store.factor > 1 &&
    shown.some((id) => ["panorama", "render"].includes(getViewportDefinition(id).kind));
  const exportTools = useExportTools({
    viewportRef: grid,
    name: parts.series.id,
    snapshot: () => ({ scale: window.devicePixelRatio }),
    notes: [
      t("viewer.windowText", rescaleWindow(store.info, controls.displaySettings.window)),
      t(`viewer.stage.${parts.load.stage}`),
      ...(isDrawnCoarse ? [t("viewer.coarse", { factor: store.factor })] : []),
      ...describePlan(t, teeth, parts.arch),
    ],
    settle: async () => (await parts.viewports.waitUntilFinal(3000)).map((coarseness) => t(`viewer.${coarseness}`)),
  });
  const modes = useCtModes(parts, tools, exportTools);
  const [mode, setMode] = useViewerMode(ctToolsByMode, controls.tool, controls.setTool);
  const applyPreset = (name: (typeof presetNames)[number]) => () => controls.setWindow(getPresetWindow(name, store));
  useShortcuts({
    ...buildToolShortcuts(ctPointerTools, controls.setTool),
    ...Object.fromEntries(presetNames.map((name, at) => [String(at + 1), applyPreset(name)])),
    ...buildPlaneShortcuts(parts, shown),
    ...annotationShortcuts(annotations, drawing),
    Y: () => onLayout(cycleNext(listAvailableLayouts(), layout)),
    D: onDetails,
  });
  const layouts: ViewerTool = {
    id: "layout",
    label: t("viewer.layout.title"),
    icon: IconLayout,
    items: listAvailableLayouts().map((name) => ({
      key: name,
      label: t(`viewer.layout.${name}`),
      isOn: name === layout,
      sign: <LayoutSketch layout={name} />,
      onPress: () => onLayout(name),
    })),
  };
  const details: ViewerTool = {
    id: "details",
    label: t("viewer.details"),
    icon: IconListDetails,
    keys: "D",
    isOn: hasDetails,
    onPress: onDetails,
  };
  return (
    <>
      <ModeToolbar modes={modes} mode={mode} onMode={setMode} common={[layouts, ...tools.history, details]} />
      {tools.dialog}
    </>
  );
}
