import {
  IconContrast2,
  IconContrastFilled,
  IconFlipHorizontal,
  IconHandStop,
  IconPhotoScan,
  IconRefresh,
  IconRotate,
  IconRotateClockwise,
  IconStackFront,
  IconSparkles,
} from "@tabler/icons-react";
import { useTexts, type Translate } from "../../kernel/texts.ts";
import { useShortcuts, type Keys } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar, ToolMenu, type MenuRow } from "../frame/toolbar.tsx";
import { ToolChoice, toolKeys, type ToolRow } from "../frame/toolbar-choice.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { MarkTools, markKeys, markRows } from "../marks/mark-tools.tsx";
import type { DrawnTool } from "../marks/kind.ts";
import type { Marks } from "../marks/use-marks.ts";
import type { LoadedPicture, PictureFile } from "./load-picture.ts";
import type { OverlaySwitch } from "./overlay-layer.tsx";
import type { PictureDrawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";

export type PictureTool = "window" | "pan" | DrawnTool;

const tools: ToolRow<PictureTool> = [
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  ...markRows(["length", "angle"]),
];

interface Props {
  tool: PictureTool;
  onTool: (tool: PictureTool) => void;
  controls: PictureControls;
  loaded: LoadedPicture;
  file: PictureFile | null;
  marks: Marks;
  drawing: PictureDrawing;
  overlay: OverlaySwitch;
}

export function PictureTools({ tool, onTool, controls, loaded, file, marks, drawing, overlay }: Props) {
  const t = useTexts("viewer");
  const presets = presetRows(t, controls, loaded, file);
  useShortcuts({
    ...toolKeys(tools, onTool),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...(overlay.flip && { O: overlay.flip }),
    ...viewKeys(controls),
    ...markKeys(marks, drawing),
  });
  return (
    <Toolbar>
      <ToolChoice rows={tools} now={tool} onTool={onTool} />
      <ToolGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <Tool
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={controls.look.inverted}
        onPress={controls.invert}
      />
      {overlay.flip && (
        <Tool
          label={t("viewer.overlay")}
          icon={IconStackFront}
          keys="O"
          isOn={overlay.bits !== null}
          onPress={overlay.flip}
        />
      )}
      <ToolGap />
      <ViewTools controls={controls} />
      <ToolGap />
      <MarkTools marks={marks} drawing={drawing} />
    </Toolbar>
  );
}

function ViewTools({ controls }: { controls: PictureControls }) {
  const t = useTexts("viewer");
  const isMirrored = controls.view?.mirrored ?? false;
  return (
    <>
      <ZoomTools zoom={controls.zoomBy} fit={controls.fit} isFitted={controls.isFitted} />
      <Tool label={t("viewer.actualSize")} icon={IconPhotoScan} keys="9" onPress={controls.actualSize} />
      <Tool label={t("viewer.turnLeft")} icon={IconRotate} keys="Shift+R" onPress={() => controls.turn(-1)} />
      <Tool label={t("viewer.turnRight")} icon={IconRotateClockwise} keys="R" onPress={() => controls.turn(1)} />
      <Tool label={t("viewer.mirror")} icon={IconFlipHorizontal} keys="F" isOn={isMirrored} onPress={controls.mirror} />
      <Tool label={t("viewer.reset")} icon={IconRefresh} keys="Home" onPress={controls.reset} />
    </>
  );
}

function presetRows(
  t: Translate,
  { setWindow }: PictureControls,
  { window, auto, picture }: LoadedPicture,
  file: PictureFile | null,
): MenuRow[] {
  const row = (name: "file" | "auto" | "full", keys: string, to: LoadedPicture["window"]): MenuRow => ({
    key: name,
    label: t(`viewer.window.${name}`),
    keys,
    onPress: () => setWindow(to),
  });
  if (picture.kind === "image" || !file) return [row("file", "1", window)];
  const full = { center: (file.min + file.max + 1) / 2, width: file.max - file.min + 1 };
  return [row("file", "1", window), row("auto", "2", auto), row("full", "3", full)];
}

const viewKeys = (controls: PictureControls): Keys => ({
  ...zoomKeys({ zoom: controls.zoomBy, fit: controls.fit }),
  "9": controls.actualSize,
  I: controls.invert,
  R: () => controls.turn(1),
  "Shift+R": () => controls.turn(-1),
  F: controls.mirror,
  Home: controls.reset,
  ArrowLeft: () => controls.pan([40, 0]),
  ArrowRight: () => controls.pan([-40, 0]),
  ArrowUp: () => controls.pan([0, 40]),
  ArrowDown: () => controls.pan([0, -40]),
});
