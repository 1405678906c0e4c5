import {
  IconArrowsVertical,
  IconContrast2,
  IconContrastFilled,
  IconCrosshair,
  IconHandStop,
  IconLayout,
  IconLayoutGrid,
  IconPencilRuler,
  IconRefresh,
  IconSparkles,
  IconTag,
} from "@tabler/icons-react";
import { rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import type { RefObject } from "react";
import { useAppearance } from "../../browser/appearance.ts";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { useShortcuts, type Shortcuts } from "../ui/input/shortcuts.ts";
import { ToolGroup } from "../ui/toolbar/tool-group.tsx";
import { ToolButton, ToolbarGap, Toolbar, ToolMenu, type ToolMenuItem } from "../ui/toolbar/toolbar.tsx";
import { ToolButtons, buildToolShortcuts, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { ZoomTools, buildZoomShortcuts } from "../ui/toolbar/zoom-tools.tsx";
import { AnnotationTools, annotationShortcuts, annotationToolRows } from "../annotations/annotation-tools.tsx";
import { describePlan } from "./arch/implant-plan/plan-announcer.tsx";
import type { LayoutName, ViewportId } from "../ct-core/viewport-layouts.ts";
import type { CtViewerState } from "./layout/viewport-props.ts";
import { listAvailableLayouts } from "./layout/viewport-components.ts";
import { extraTools } from "./layout/extension-points.ts";
import { SlabPanel, buildSlabShortcuts, WindowPanel } from "./settings/display-settings-panels.tsx";
import { presetNames, getPresetWindow } from "./settings/window-presets.ts";
import { RotationPanel, buildRotationShortcuts } from "./settings/rotation-panel.tsx";
import { findPlaneName } from "./planes/use-plane-views.ts";
import type { CtTool } from "./use-ct-controls.ts";

const pointerTools: ToolItems<CtTool> = [
  { name: "cross", icon: IconCrosshair, keys: "C" },
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "scroll", icon: IconArrowsVertical, keys: "S" },
];
const lengthTools: ToolItems<CtTool> = annotationToolRows(["length", "angle"]);
const measuringTools: ToolItems<CtTool> = annotationToolRows([
  "path",
  "cobb",
  "ratio",
  "profile",
  "ellipse",
  "rectangle",
]);
const noteTools: ToolItems<CtTool> = annotationToolRows(["arrow", "text"]);
const allTools = [...pointerTools, ...lengthTools, ...measuringTools, ...noteTools];

interface Props {
  parts: CtViewerState;
  layout: LayoutName;
  onLayout: (name: LayoutName) => void;
  /** The viewports that are on the screen. */
  shown: readonly ViewportId[];
  /** The element that contains all viewports. */
  grid: RefObject<HTMLElement | null>;
}

export function CtToolbar({ parts, layout, onLayout, shown, grid }: Props) {
  const { store, controls, annotations, drawing } = parts;
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  const presets = presetNames.map((name, at) => ({
    key: name,
    label: t(`viewer.window.${name}`),
    keys: String(at + 1),
    onPress: () => controls.setWindow(getPresetWindow(name, store)),
  }));
  useShortcuts({
    ...buildToolShortcuts(allTools, controls.setTool),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...buildPlaneShortcuts(parts, shown),
    ...annotationShortcuts(annotations, drawing),
    Y: () => onLayout(cycleNext(listAvailableLayouts(), layout)),
  });
  return (
    <Toolbar>
      <ToolMenu label={t("viewer.layout.title")} icon={IconLayout} items={buildLayoutItems(t, layout, onLayout)} />
      <ToolbarGap />
      <PointerTools controls={controls} />
      <ToolbarGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <ToolButton
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={controls.displaySettings.inverted}
        onPress={controls.invert}
      />
      <WindowPanel store={store} controls={controls} />
      <SlabPanel controls={controls} />
      <RotationPanel controls={controls} />
      <ToolbarGap />
      <ViewTools parts={parts} />
      {extraTools.map((Tools, at) => (
        <Tools key={at} {...parts} />
      ))}
      <ToolbarGap />
      <AnnotationTools annotations={annotations} drawing={drawing} />
      <ExportMenu
        viewportRef={grid}
        name={parts.series.id}
        snapshot={() => ({ scale: window.devicePixelRatio })}
        notes={[
          t("viewer.windowText", rescaleWindow(store.info, controls.displaySettings.window)),
          t(`viewer.stage.${parts.load.stage}`),
          ...describePlan(t, teeth, parts.arch),
        ]}
      />
    </Toolbar>
  );
}

function PointerTools({ controls: { tool, setTool } }: Pick<CtViewerState, "controls">) {
  const t = useTexts("viewer");
  const selection = { now: tool, onTool: setTool };
  return (
    <>
      <ToolButtons rows={pointerTools} {...selection} />
      <ToolbarGap />
      <ToolButtons rows={lengthTools} {...selection} />
      <ToolGroup label={t("viewer.group.more")} icon={IconPencilRuler} rows={measuringTools} {...selection} />
      <ToolGroup label={t("viewer.group.notes")} icon={IconTag} rows={noteTools} {...selection} />
    </>
  );
}

function buildLayoutItems(t: Translate, layout: LayoutName, onLayout: (name: LayoutName) => void): ToolMenuItem[] {
  return listAvailableLayouts().map((name) => ({
    key: name,
    label: t(`viewer.layout.${name}`),
    isOn: name === layout,
    onPress: () => onLayout(name),
  }));
}

/** The next element of a row, cyclically. */
const cycleNext = <T,>(row: readonly T[], now: T): T => row[(row.indexOf(now) + 1) % row.length] ?? now;

function ViewTools({ parts }: { parts: CtViewerState }) {
  const t = useTexts("viewer");
  const { active, enlarged: large, toggleEnlarged: toggleLarge, reset } = parts.controls;
  return (
    <>
      <ZoomTools {...buildZoomActions(parts)} />
      <ToolButton
        label={t("viewer.onePlane")}
        icon={IconLayoutGrid}
        keys="V"
        isOn={large !== null}
        onPress={() => toggleLarge(large ?? active)}
      />
      <ToolButton label={t("viewer.reset")} icon={IconRefresh} keys="R" onPress={reset} />
    </>
  );
}

/** Buttons and keys zoom the active viewport, around its middle. */
const buildZoomActions = ({ viewports, controls: { active, fit } }: CtViewerState) => ({
  zoom: (factor: number) => viewports.getActions(active)?.zoom(factor),
  fit: () => {
    fit();
    for (const [, { actions: selection }] of viewports.all()) selection?.fit?.();
  },
});

function buildPlaneShortcuts(parts: CtViewerState, shown: readonly ViewportId[]): Shortcuts {
  const { viewports, controls } = parts;
  const { active } = controls;
  const step = (slices: number) => () => viewports.getActions(active)?.step(slices);
  return {
    ...buildZoomShortcuts(buildZoomActions(parts)),
    I: controls.invert,
    R: controls.reset,
    V: () => controls.toggleEnlarged(controls.enlarged ?? active),
    P: () => controls.activate(cycleNext(shown, active)),
    ArrowUp: step(-1),
    ArrowDown: step(1),
    PageUp: step(-10),
    PageDown: step(10),
    ...buildRotationShortcuts(controls, findPlaneName(active)),
    ...buildSlabShortcuts(controls),
    Home: step(-100_000),
    End: step(100_000),
  };
}
