import { Button } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconHandStop, IconMaximize, IconRotate3d, IconRuler2, IconSun, IconTrash, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import { useShortcuts } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar } from "../frame/toolbar.tsx";
import { viewNames } from "../geometry/model-camera.ts";
import type { Marks } from "../marks/use-marks.ts";
import type { ModelControls } from "./use-model-camera.ts";
import type { ModelDrawing } from "./use-model-marks.ts";

export type ModelTool = "turn" | "pan" | "length";

const tools = [
  { name: "turn", icon: IconRotate3d, keys: "T" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "length", icon: IconRuler2, keys: "L" },
] as const;

interface Props {
  tool: ModelTool;
  onTool: (tool: ModelTool) => void;
  controls: ModelControls;
  marks: Marks;
  drawing: ModelDrawing;
  isLight: boolean;
  onLight: () => void;
}

export function ModelTools({ tool, onTool, controls, marks, drawing, isLight, onLight }: Props) {
  const t = useTexts("viewer");
  useShortcuts({
    ...Object.fromEntries(tools.map(({ name, keys }) => [keys, () => onTool(name)])),
    ...Object.fromEntries(viewNames.map((name, at) => [String(at + 1), () => controls.look(name)])),
    ...cameraKeys(controls),
    B: onLight,
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
        <Tool key={name} label={t(`viewer.tool.${name}`)} icon={icon} keys={keys} isOn={tool === name} onPress={() => onTool(name)} />
      ))}
      <ToolGap />
      {viewNames.map((name, at) => (
        <Button key={name} size="compact-sm" variant={controls.view === name ? "filled" : "subtle"} color={controls.view === name ? undefined : "gray"} aria-pressed={controls.view === name} aria-keyshortcuts={String(at + 1)} onClick={() => controls.look(name)}>
          {t(`viewer.view.${name}`)}
        </Button>
      ))}
      <ToolGap />
      <Tool label={t("viewer.zoomIn")} icon={IconZoomIn} keys="+" onPress={() => controls.zoom(1.25)} />
      <Tool label={t("viewer.zoomOut")} icon={IconZoomOut} keys="-" onPress={() => controls.zoom(0.8)} />
      <Tool label={t("viewer.fit")} icon={IconMaximize} keys="0" onPress={controls.fit} />
      <Tool label={t("viewer.lightGround")} icon={IconSun} keys="B" isOn={isLight} onPress={onLight} />
      <ToolGap />
      <Tool label={t("viewer.undo")} icon={IconArrowBackUp} keys="Ctrl+Z" disabled={!marks.canUndo} onPress={marks.undo} />
      <Tool label={t("viewer.redo")} icon={IconArrowForwardUp} keys="Ctrl+Shift+Z" disabled={!marks.canRedo} onPress={marks.redo} />
      <Tool label={t("viewer.removeMark")} icon={IconTrash} keys="Delete" disabled={!drawing.chosen} onPress={drawing.removeChosen} />
    </Toolbar>
  );
}

const step = 24;

const cameraKeys = (controls: ModelControls) => ({
  ArrowLeft: () => controls.orbit([-step, 0]),
  ArrowRight: () => controls.orbit([step, 0]),
  ArrowUp: () => controls.orbit([0, -step]),
  ArrowDown: () => controls.orbit([0, step]),
  "Shift+ArrowLeft": () => controls.pan([-step, 0]),
  "Shift+ArrowRight": () => controls.pan([step, 0]),
  "Shift+ArrowUp": () => controls.pan([0, -step]),
  "Shift+ArrowDown": () => controls.pan([0, step]),
  ",": () => controls.roll(-Math.PI / 12),
  ".": () => controls.roll(Math.PI / 12),
  "+": () => controls.zoom(1.25),
  "=": () => controls.zoom(1.25),
  "-": () => controls.zoom(0.8),
  "0": controls.fit,
  R: () => controls.look("front"),
});
