import {
  IconAngle,
  IconArrowAutofitWidth,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconContrast2,
  IconContrastFilled,
  IconFlipVertical,
  IconHandStop,
  IconMaximize,
  IconRefresh,
  IconRotate,
  IconRotateClockwise,
  IconRuler2,
  IconSparkles,
  IconTrash,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import { useShortcuts } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar, ToolMenu } from "../frame/toolbar.tsx";
import type { Marks } from "../marks/use-marks.ts";
import type { LoadedPicture, PictureFile } from "./load-picture.ts";
import type { PictureTool } from "./picture-pane.tsx";
import type { Drawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";

interface Props {
  tool: PictureTool;
  onTool: (tool: PictureTool) => void;
  controls: PictureControls;
  loaded: LoadedPicture;
  file: PictureFile | null;
  marks: Marks;
  drawing: Drawing;
}

const tools = [
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "length", icon: IconRuler2, keys: "L" },
  { name: "angle", icon: IconAngle, keys: "A" },
] as const;

export function PictureTools({ tool, onTool, controls, loaded, file, marks, drawing }: Props) {
  const t = useTexts("viewer");
  const full = () => file && controls.setWindow({ center: (file.min + file.max + 1) / 2, width: file.max - file.min + 1 });
  const presets = [
    { key: "file", label: t("viewer.window.file"), keys: "1", onPress: () => controls.setWindow(loaded.window) },
    { key: "auto", label: t("viewer.window.auto"), keys: "2", onPress: () => controls.setWindow(loaded.auto) },
    ...(loaded.picture.kind === "grey" ? [{ key: "full", label: t("viewer.window.full"), keys: "3", onPress: full }] : []),
  ];
  useShortcuts({
    ...Object.fromEntries(tools.map(({ name, keys }) => [keys, () => onTool(name)])),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...viewKeys(controls),
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
        <Tool key={name} label={t(`viewer.tool.${name}`)} icon={icon} keys={keys} isOn={tool === name} onPress={() => onTool(name)} />
      ))}
      <ToolGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <Tool label={t("viewer.invert")} icon={IconContrast2} keys="I" isOn={controls.look.inverted} onPress={controls.invert} />
      <ToolGap />
      <Tool label={t("viewer.zoomIn")} icon={IconZoomIn} keys="+" onPress={() => controls.zoomBy(1.25)} />
      <Tool label={t("viewer.zoomOut")} icon={IconZoomOut} keys="-" onPress={() => controls.zoomBy(0.8)} />
      <Tool label={t("viewer.fit")} icon={IconMaximize} keys="0" isOn={controls.isFitted} onPress={controls.fit} />
      <Tool label={t("viewer.actualSize")} icon={IconArrowAutofitWidth} keys="9" onPress={controls.actualSize} />
      <Tool label={t("viewer.turnLeft")} icon={IconRotate} keys="Shift+R" onPress={() => controls.turn(-1)} />
      <Tool label={t("viewer.turnRight")} icon={IconRotateClockwise} keys="R" onPress={() => controls.turn(1)} />
      <Tool label={t("viewer.mirror")} icon={IconFlipVertical} keys="F" isOn={controls.view?.mirrored ?? false} onPress={controls.mirror} />
      <Tool label={t("viewer.reset")} icon={IconRefresh} keys="Home" onPress={controls.reset} />
      <ToolGap />
      <Tool label={t("viewer.undo")} icon={IconArrowBackUp} keys="Ctrl+Z" disabled={!marks.canUndo} onPress={marks.undo} />
      <Tool label={t("viewer.redo")} icon={IconArrowForwardUp} keys="Ctrl+Shift+Z" disabled={!marks.canRedo} onPress={marks.redo} />
      <Tool label={t("viewer.removeMark")} icon={IconTrash} keys="Delete" disabled={!drawing.chosen} onPress={drawing.removeChosen} />
    </Toolbar>
  );
}

const viewKeys = (controls: PictureControls) => ({
  "+": () => controls.zoomBy(1.25),
  "=": () => controls.zoomBy(1.25),
  "-": () => controls.zoomBy(0.8),
  "0": controls.fit,
  "9": controls.actualSize,
  R: () => controls.turn(1),
  "Shift+R": () => controls.turn(-1),
  F: controls.mirror,
  Home: controls.reset,
  ArrowLeft: () => controls.pan([40, 0]),
  ArrowRight: () => controls.pan([-40, 0]),
  ArrowUp: () => controls.pan([0, 40]),
  ArrowDown: () => controls.pan([0, -40]),
});
