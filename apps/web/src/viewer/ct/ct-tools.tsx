import {
  IconAngle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsVertical,
  IconContrast2,
  IconContrastFilled,
  IconCrosshair,
  IconHandStop,
  IconLayoutGrid,
  IconMaximize,
  IconRefresh,
  IconRuler2,
  IconSparkles,
  IconStack2,
  IconTrash,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import { useShortcuts } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar, ToolMenu } from "../frame/toolbar.tsx";
import { planeNames } from "../geometry/plane.ts";
import type { Marks } from "../marks/use-marks.ts";
import { presetNames, presetWindow } from "./presets.ts";
import type { CtControls } from "./use-ct-controls.ts";
import type { PlaneDrawing } from "./use-plane-marks.ts";
import type { VolumeStore } from "./volume-store.ts";

const tools = [
  { name: "cross", icon: IconCrosshair, keys: "C" },
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "scroll", icon: IconArrowsVertical, keys: "S" },
  { name: "length", icon: IconRuler2, keys: "L" },
  { name: "angle", icon: IconAngle, keys: "A" },
] as const;

const slabs = [0, 2, 5, 10, 20] as const;

interface Props {
  store: VolumeStore;
  controls: CtControls;
  marks: Marks;
  drawing: PlaneDrawing;
}

export function CtTools({ store, controls, marks, drawing }: Props) {
  const t = useTexts("viewer");
  const { active, look } = controls;
  const presets = presetNames.map((name, at) => ({
    key: name,
    label: t(`viewer.window.${name}`),
    keys: String(at + 1),
    onPress: () => controls.setWindow(presetWindow(name, store)),
  }));
  const slabItems = [
    ...slabs.map((mm) => ({ key: `max${mm}`, label: mm === 0 ? t("viewer.slab.off") : t("viewer.slab.max", { mm }), isOn: look.slab === mm && (mm === 0 || look.slabMode === "max"), onPress: () => controls.setSlab(mm, "max") })),
    ...slabs.slice(1).map((mm) => ({ key: `mean${mm}`, label: t("viewer.slab.mean", { mm }), isOn: look.slab === mm && look.slabMode === "mean", onPress: () => controls.setSlab(mm, "mean") })),
  ];
  useShortcuts({
    ...Object.fromEntries(tools.map(({ name, keys }) => [keys, () => controls.setTool(name)])),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...planeKeys(controls),
    I: controls.invert,
    "Ctrl+Z": marks.undo,
    "Ctrl+Shift+Z": marks.redo,
    "Ctrl+Y": marks.redo,
    Delete: drawing.removeChosen,
    Backspace: drawing.removeChosen,
    Escape: () => drawing.drop() || drawing.choose(null),
  });
  return (
    <Toolbar>
      {tools.map(({ name, icon, keys }) => (
        <Tool key={name} label={t(`viewer.tool.${name}`)} icon={icon} keys={keys} isOn={controls.tool === name} onPress={() => controls.setTool(name)} />
      ))}
      <ToolGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <Tool label={t("viewer.invert")} icon={IconContrast2} keys="I" isOn={look.inverted} onPress={controls.invert} />
      <ToolMenu label={t("viewer.slab.title")} icon={IconStack2} items={slabItems} />
      <ToolGap />
      <Tool label={t("viewer.zoomIn")} icon={IconZoomIn} keys="+" onPress={() => controls.zoom(active, null, 1.25, [0, 0])} />
      <Tool label={t("viewer.zoomOut")} icon={IconZoomOut} keys="-" onPress={() => controls.zoom(active, null, 0.8, [0, 0])} />
      <Tool label={t("viewer.fit")} icon={IconMaximize} keys="0" onPress={controls.fit} />
      <Tool label={t("viewer.onePlane")} icon={IconLayoutGrid} keys="V" isOn={controls.large !== null} onPress={() => controls.toggleLarge(controls.large ?? active)} />
      <Tool label={t("viewer.reset")} icon={IconRefresh} keys="R" onPress={controls.reset} />
      <ToolGap />
      <Tool label={t("viewer.undo")} icon={IconArrowBackUp} keys="Ctrl+Z" disabled={!marks.canUndo} onPress={marks.undo} />
      <Tool label={t("viewer.redo")} icon={IconArrowForwardUp} keys="Ctrl+Shift+Z" disabled={!marks.canRedo} onPress={marks.redo} />
      <Tool label={t("viewer.removeMark")} icon={IconTrash} keys="Delete" disabled={!drawing.chosen} onPress={drawing.removeChosen} />
    </Toolbar>
  );
}

function planeKeys(controls: CtControls) {
  const step = (slices: number) => () => controls.scroll(controls.active, slices, () => {});
  const next = () => controls.activate(planeNames[(planeNames.indexOf(controls.active) + 1) % planeNames.length] ?? "axial");
  return {
    "+": () => controls.zoom(controls.active, null, 1.25, [0, 0]),
    "=": () => controls.zoom(controls.active, null, 1.25, [0, 0]),
    "-": () => controls.zoom(controls.active, null, 0.8, [0, 0]),
    "0": controls.fit,
    R: controls.reset,
    V: () => controls.toggleLarge(controls.large ?? controls.active),
    P: next,
    ArrowUp: step(-1),
    ArrowDown: step(1),
    PageUp: step(-10),
    PageDown: step(10),
    Home: step(-100_000),
    End: step(100_000),
  };
}
