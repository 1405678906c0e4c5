import {
  IconContrast2,
  IconContrastFilled,
  IconEye,
  IconFlipHorizontal,
  IconHandStop,
  IconZoomScan,
  IconList,
  IconPencilRuler,
  IconPhotoScan,
  IconRefresh,
  IconRotate2,
  IconRotateClockwise,
  IconSparkles,
  IconStackFront,
  IconTag,
  IconZoomInArea,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTexts, type Translate } from "../../kernel/texts.ts";
import { useShortcuts, type Keys } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar, ToolMenu, type MenuRow } from "../frame/toolbar.tsx";
import { ToolChoice, toolKeys, type ToolRow } from "../frame/toolbar-choice.tsx";
import { ToolGroup } from "../frame/tool-group.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { MarkTools, markKeys, markRows } from "../marks/mark-tools.tsx";
import type { DrawnTool } from "../marks/kind.ts";
import type { Marks } from "../marks/use-marks.ts";
import { LookPanel } from "./look-panel.tsx";
import type { LoadedPicture, PictureFile } from "./load-picture.ts";
import type { OverlaySwitch } from "./overlay-layer.tsx";
import type { LensControls } from "./use-lens.ts";
import type { PictureDrawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";

export type PictureTool = "window" | "pan" | "lens" | "zoomBox" | "rotate" | DrawnTool;

const firstTools: ToolRow<PictureTool> = [
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
];
const handTools: ToolRow<PictureTool> = [
  { name: "lens", icon: IconZoomScan, keys: "M" },
  { name: "zoomBox", icon: IconZoomInArea, keys: "Z" },
  { name: "rotate", icon: IconRotate2, keys: "Y" },
];
const lengthTools: ToolRow<PictureTool> = markRows(["length", "angle"]);
const measuringTools: ToolRow<PictureTool> = markRows([
  "path",
  "cobb",
  "ratio",
  "profile",
  "ellipse",
  "rectangle",
  "calibration",
]);
const noteTools: ToolRow<PictureTool> = markRows(["arrow", "text", "tooth"]);
const allTools = [...firstTools, ...handTools, ...lengthTools, ...measuringTools, ...noteTools];

interface Props {
  tool: PictureTool;
  onTool: (tool: PictureTool) => void;
  controls: PictureControls;
  loaded: LoadedPicture;
  file: PictureFile | null;
  marks: Marks;
  drawing: PictureDrawing;
  overlay: OverlaySwitch;
  lens: LensControls;
  isListOpen: boolean;
  onList: () => void;
  exits: ReactNode;
}

export function PictureTools({ tool, onTool, controls, loaded, file, marks, drawing, overlay, ...rest }: Props) {
  const t = useTexts("viewer");
  const { lens, isListOpen, onList, exits } = rest;
  const presets = presetRows(t, controls, loaded, file);
  // Selecting the magnifier again increases its magnification.
  const take = (next: PictureTool) => {
    if (next === "lens" && tool === "lens") return lens.turnUp();
    // A user who takes another tool is done with the annotation: Enter begins a new one.
    drawing.choose(null);
    onTool(next);
  };
  useShortcuts({
    ...toolKeys(allTools, take),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...(overlay.flip && { O: overlay.flip }),
    ...viewKeys(controls),
    ...(tool === "lens" && lens.lens && lensKeys(lens)),
    ...markKeys(marks, drawing),
    B: onList,
  });
  return (
    <Toolbar>
      <ToolChoice rows={firstTools} now={tool} onTool={take} />
      <ToolGroup label={t("viewer.group.hand")} icon={IconZoomScan} rows={handTools} now={tool} onTool={take} />
      <ToolGap />
      <ToolChoice rows={lengthTools} now={tool} onTool={take} />
      <ToolGroup label={t("viewer.group.more")} icon={IconPencilRuler} rows={measuringTools} now={tool} onTool={take} />
      <ToolGroup label={t("viewer.group.notes")} icon={IconTag} rows={noteTools} now={tool} onTool={take} />
      <ToolGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <LookPanel controls={controls} loaded={loaded} file={file} />
      <Tool
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={controls.look.inverted}
        onPress={controls.invert}
      />
      {overlay.flip && (
        <Tool label={t("viewer.overlay")} icon={IconStackFront} keys="O" isOn={overlay.isOn} onPress={overlay.flip} />
      )}
      <ToolGap />
      <ViewTools controls={controls} />
      <ToolGap />
      <MarkTools marks={marks} drawing={drawing} />
      <Tool label={t("viewer.marks.title")} icon={IconList} keys="B" isOn={isListOpen} onPress={onList} />
      {exits}
    </Toolbar>
  );
}

function ViewTools({ controls }: { controls: PictureControls }) {
  const t = useTexts("viewer");
  const isMirrored = controls.view?.mirrored ?? false;
  const rows: MenuRow[] = [
    { key: "width", label: t("viewer.fitWidth"), keys: "8", onPress: controls.fitWidth },
    { key: "left", label: t("viewer.turnLeft"), keys: "Shift+R", onPress: () => controls.turn(-1) },
    { key: "flip", label: t("viewer.flip"), keys: "Shift+F", onPress: controls.flip },
  ];
  return (
    <>
      <ZoomTools zoom={controls.zoomBy} fit={controls.fit} isFitted={controls.isFitted} />
      <Tool label={t("viewer.actualSize")} icon={IconPhotoScan} keys="9" onPress={controls.actualSize} />
      <Tool label={t("viewer.turnRight")} icon={IconRotateClockwise} keys="R" onPress={() => controls.turn(1)} />
      <Tool label={t("viewer.mirror")} icon={IconFlipHorizontal} keys="F" isOn={isMirrored} onPress={controls.mirror} />
      <ToolMenu label={t("viewer.group.view")} icon={IconEye} items={rows} />
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

const lensKeys = ({ step }: LensControls): Keys => ({
  ArrowLeft: () => step([-16, 0]),
  ArrowRight: () => step([16, 0]),
  ArrowUp: () => step([0, -16]),
  ArrowDown: () => step([0, 16]),
});

const viewKeys = (controls: PictureControls): Keys => ({
  ...zoomKeys({ zoom: controls.zoomBy, fit: controls.fit }),
  "8": controls.fitWidth,
  "9": controls.actualSize,
  I: controls.invert,
  S: () => controls.setLook({ sharpen: controls.look.sharpen ? 0 : 1 }),
  R: () => controls.turn(1),
  "Shift+R": () => controls.turn(-1),
  F: controls.mirror,
  "Shift+F": controls.flip,
  "[": () => controls.tiltBy(-1),
  "]": () => controls.tiltBy(1),
  Home: controls.reset,
  ArrowLeft: () => controls.pan([40, 0]),
  ArrowRight: () => controls.pan([-40, 0]),
  ArrowUp: () => controls.pan([0, 40]),
  ArrowDown: () => controls.pan([0, -40]),
});
