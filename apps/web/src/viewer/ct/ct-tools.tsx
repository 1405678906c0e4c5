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
import { trueWindow } from "@arcada/imaging/view/true-value";
import type { RefObject } from "react";
import { useLook } from "../../kernel/look.ts";
import { useTexts, type Translate } from "../../kernel/texts.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { useShortcuts, type Keys } from "../frame/shortcuts.ts";
import { ToolGroup } from "../frame/tool-group.tsx";
import { Tool, ToolGap, Toolbar, ToolMenu, type MenuRow } from "../frame/toolbar.tsx";
import { ToolChoice, toolKeys, type ToolRow } from "../frame/toolbar-choice.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { MarkTools, markKeys, markRows } from "../marks/mark-tools.tsx";
import { planWords } from "./arch/plan-announcer.tsx";
import type { LayoutName, PlaceName } from "./layout/layouts.ts";
import type { CtParts } from "./layout/pane-props.ts";
import { layoutsOffered } from "./layout/pane-table.ts";
import { toolTable } from "./layout/room-table.ts";
import { SlabPanel, slabKeys, WindowPanel } from "./look-panels.tsx";
import { presetNames, presetWindow } from "./presets.ts";
import { TurnPanel, turnKeys } from "./turn-panel.tsx";
import { planeNameAt } from "./use-pane-views.ts";
import type { CtTool } from "./use-ct-controls.ts";

const handTools: ToolRow<CtTool> = [
  { name: "cross", icon: IconCrosshair, keys: "C" },
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "scroll", icon: IconArrowsVertical, keys: "S" },
];
const lengthTools: ToolRow<CtTool> = markRows(["length", "angle"]);
const measuringTools: ToolRow<CtTool> = markRows(["path", "cobb", "ratio", "profile", "ellipse", "rectangle"]);
const noteTools: ToolRow<CtTool> = markRows(["arrow", "text"]);
const allTools = [...handTools, ...lengthTools, ...measuringTools, ...noteTools];

interface Props {
  parts: CtParts;
  layout: LayoutName;
  onLayout: (name: LayoutName) => void;
  /** The panes that are on the screen. */
  shown: readonly PlaceName[];
  /** All panes together. */
  grid: RefObject<HTMLElement | null>;
}

export function CtTools({ parts, layout, onLayout, shown, grid }: Props) {
  const { store, controls, marks, drawing } = parts;
  const t = useTexts("viewer");
  const { teeth } = useLook();
  const presets = presetNames.map((name, at) => ({
    key: name,
    label: t(`viewer.window.${name}`),
    keys: String(at + 1),
    onPress: () => controls.setWindow(presetWindow(name, store)),
  }));
  useShortcuts({
    ...toolKeys(allTools, controls.setTool),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...planeKeys(parts, shown),
    ...markKeys(marks, drawing),
    Y: () => onLayout(after(layoutsOffered(), layout)),
  });
  return (
    <Toolbar>
      <ToolMenu label={t("viewer.layout.title")} icon={IconLayout} items={layoutRows(t, layout, onLayout)} />
      <ToolGap />
      <HandTools controls={controls} />
      <ToolGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <Tool
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={controls.look.inverted}
        onPress={controls.invert}
      />
      <WindowPanel store={store} controls={controls} />
      <SlabPanel controls={controls} />
      <TurnPanel controls={controls} />
      <ToolGap />
      <ViewTools parts={parts} />
      {toolTable.map((Tools, at) => (
        <Tools key={at} {...parts} />
      ))}
      <ToolGap />
      <MarkTools marks={marks} drawing={drawing} />
      <ExportMenu
        pane={grid}
        name={parts.series.id}
        snapshot={() => ({ scale: window.devicePixelRatio })}
        words={[
          t("viewer.windowText", trueWindow(store.info, controls.look.window)),
          t(`viewer.stage.${parts.load.stage}`),
          ...planWords(t, teeth, parts.arch),
        ]}
      />
    </Toolbar>
  );
}

function HandTools({ controls: { tool, setTool } }: Pick<CtParts, "controls">) {
  const t = useTexts("viewer");
  const hand = { now: tool, onTool: setTool };
  return (
    <>
      <ToolChoice rows={handTools} {...hand} />
      <ToolGap />
      <ToolChoice rows={lengthTools} {...hand} />
      <ToolGroup label={t("viewer.group.more")} icon={IconPencilRuler} rows={measuringTools} {...hand} />
      <ToolGroup label={t("viewer.group.notes")} icon={IconTag} rows={noteTools} {...hand} />
    </>
  );
}

function layoutRows(t: Translate, layout: LayoutName, onLayout: (name: LayoutName) => void): MenuRow[] {
  return layoutsOffered().map((name) => ({
    key: name,
    label: t(`viewer.layout.${name}`),
    isOn: name === layout,
    onPress: () => onLayout(name),
  }));
}

/** The next element of a row, cyclically. */
const after = <T,>(row: readonly T[], now: T): T => row[(row.indexOf(now) + 1) % row.length] ?? now;

function ViewTools({ parts }: { parts: CtParts }) {
  const t = useTexts("viewer");
  const { active, large, toggleLarge, reset } = parts.controls;
  return (
    <>
      <ZoomTools {...zooming(parts)} />
      <Tool
        label={t("viewer.onePlane")}
        icon={IconLayoutGrid}
        keys="V"
        isOn={large !== null}
        onPress={() => toggleLarge(large ?? active)}
      />
      <Tool label={t("viewer.reset")} icon={IconRefresh} keys="R" onPress={reset} />
    </>
  );
}

/** Buttons and keys zoom the active viewport, around its middle. */
const zooming = ({ panes, controls: { active, fit } }: CtParts) => ({
  zoom: (factor: number) => panes.handOf(active)?.zoom(factor),
  fit: () => {
    fit();
    for (const [, { hand }] of panes.all()) hand?.fit?.();
  },
});

function planeKeys(parts: CtParts, shown: readonly PlaceName[]): Keys {
  const { panes, controls } = parts;
  const { active } = controls;
  const step = (slices: number) => () => panes.handOf(active)?.step(slices);
  return {
    ...zoomKeys(zooming(parts)),
    I: controls.invert,
    R: controls.reset,
    V: () => controls.toggleLarge(controls.large ?? active),
    P: () => controls.activate(after(shown, active)),
    ArrowUp: step(-1),
    ArrowDown: step(1),
    PageUp: step(-10),
    PageDown: step(10),
    ...turnKeys(controls, planeNameAt(active)),
    ...slabKeys(controls),
    Home: step(-100_000),
    End: step(100_000),
  };
}
