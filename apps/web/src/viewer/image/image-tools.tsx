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
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { useShortcuts, type Shortcuts } from "../ui/input/shortcuts.ts";
import { ToolButton, ToolbarGap, Toolbar, ToolMenu, type ToolMenuItem } from "../ui/toolbar/toolbar.tsx";
import { ToolButtons, buildToolShortcuts, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { ToolGroup } from "../ui/toolbar/tool-group.tsx";
import { ZoomTools, buildZoomShortcuts } from "../ui/toolbar/zoom-tools.tsx";
import { AnnotationTools, annotationShortcuts, annotationToolRows } from "../annotations/annotation-tools.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { DisplaySettingsPanel } from "./display-settings/display-settings-panel.tsx";
import type { LoadedImage, ImageFile } from "./loading/load-image.ts";
import type { OverlayToggle } from "./layers/overlay-layer.tsx";
import type { LensControls } from "./use-lens.ts";
import type { ImageDrawing } from "./annotations/use-image-annotations.ts";
import type { ImageControls } from "./use-image-view.ts";
import type { DrawingTool } from "../annotations/annotation-kind-registry.ts";

export type ImageTool = "window" | "pan" | "lens" | "zoomBox" | "rotate" | DrawingTool;

const firstTools: ToolItems<ImageTool> = [
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
];
const viewTools: ToolItems<ImageTool> = [
  { name: "lens", icon: IconZoomScan, keys: "M" },
  { name: "zoomBox", icon: IconZoomInArea, keys: "Z" },
  { name: "rotate", icon: IconRotate2, keys: "Y" },
];
const lengthTools: ToolItems<ImageTool> = annotationToolRows(["length", "angle"]);
const measuringTools: ToolItems<ImageTool> = annotationToolRows([
  "path",
  "cobb",
  "ratio",
  "profile",
  "ellipse",
  "rectangle",
  "calibration",
]);
const noteTools: ToolItems<ImageTool> = annotationToolRows(["arrow", "text", "tooth"]);
const allTools = [...firstTools, ...viewTools, ...lengthTools, ...measuringTools, ...noteTools];

interface Props {
  tool: ImageTool;
  onTool: (tool: ImageTool) => void;
  controls: ImageControls;
  loaded: LoadedImage;
  file: ImageFile | null;
  annotations: AnnotationStore;
  drawing: ImageDrawing;
  overlay: OverlayToggle;
  lens: LensControls;
  isListOpen: boolean;
  onList: () => void;
  exportMenu: ReactNode;
}

export function ImageTools({ tool, onTool, controls, loaded, file, annotations, drawing, overlay, ...rest }: Props) {
  const t = useTexts("viewer");
  const { lens, isListOpen, onList, exportMenu } = rest;
  const presets = createWindowPresets(t, controls, loaded, file);
  // Selecting the magnifier again increases its magnification.
  const selectTool = (next: ImageTool) => {
    if (next === "lens" && tool === "lens") return lens.increaseMagnification();
    // A user who selects another tool has finished the annotation: Enter begins a new one.
    drawing.choose(null);
    onTool(next);
  };
  useShortcuts({
    ...buildToolShortcuts(allTools, selectTool),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...(overlay.toggle && { O: overlay.toggle }),
    ...viewShortcuts(controls),
    ...(tool === "lens" && lens.lens && lensShortcuts(lens)),
    ...annotationShortcuts(annotations, drawing),
    B: onList,
  });
  return (
    <Toolbar>
      <ToolButtons rows={firstTools} now={tool} onTool={selectTool} />
      <ToolGroup label={t("viewer.group.hand")} icon={IconZoomScan} rows={viewTools} now={tool} onTool={selectTool} />
      <ToolbarGap />
      <ToolButtons rows={lengthTools} now={tool} onTool={selectTool} />
      <ToolGroup
        label={t("viewer.group.more")}
        icon={IconPencilRuler}
        rows={measuringTools}
        now={tool}
        onTool={selectTool}
      />
      <ToolGroup label={t("viewer.group.notes")} icon={IconTag} rows={noteTools} now={tool} onTool={selectTool} />
      <ToolbarGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <DisplaySettingsPanel controls={controls} loaded={loaded} file={file} />
      <ToolButton
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={controls.displaySettings.inverted}
        onPress={controls.invert}
      />
      {overlay.toggle && (
        <ToolButton
          label={t("viewer.overlay")}
          icon={IconStackFront}
          keys="O"
          isOn={overlay.isOn}
          onPress={overlay.toggle}
        />
      )}
      <ToolbarGap />
      <ViewTools controls={controls} />
      <ToolbarGap />
      <AnnotationTools annotations={annotations} drawing={drawing} />
      <ToolButton label={t("viewer.marks.title")} icon={IconList} keys="B" isOn={isListOpen} onPress={onList} />
      {exportMenu}
    </Toolbar>
  );
}

function ViewTools({ controls }: { controls: ImageControls }) {
  const t = useTexts("viewer");
  const isMirrored = controls.view?.mirrored ?? false;
  const rows: ToolMenuItem[] = [
    { key: "width", label: t("viewer.fitWidth"), keys: "8", onPress: controls.fitWidth },
    { key: "left", label: t("viewer.turnLeft"), keys: "Shift+R", onPress: () => controls.rotate(-1) },
    { key: "flip", label: t("viewer.flip"), keys: "Shift+F", onPress: controls.flip },
  ];
  return (
    <>
      <ZoomTools zoom={controls.zoomBy} fit={controls.fit} isFitted={controls.isFitted} />
      <ToolButton label={t("viewer.actualSize")} icon={IconPhotoScan} keys="9" onPress={controls.actualSize} />
      <ToolButton
        label={t("viewer.turnRight")}
        icon={IconRotateClockwise}
        keys="R"
        onPress={() => controls.rotate(1)}
      />
      <ToolButton
        label={t("viewer.mirror")}
        icon={IconFlipHorizontal}
        keys="F"
        isOn={isMirrored}
        onPress={controls.mirror}
      />
      <ToolMenu label={t("viewer.group.view")} icon={IconEye} items={rows} />
      <ToolButton label={t("viewer.reset")} icon={IconRefresh} keys="Home" onPress={controls.reset} />
    </>
  );
}

function createWindowPresets(
  t: Translate,
  { setWindow }: ImageControls,
  { window, auto, image }: LoadedImage,
  file: ImageFile | null,
): ToolMenuItem[] {
  const row = (name: "file" | "auto" | "full", keys: string, to: LoadedImage["window"]): ToolMenuItem => ({
    key: name,
    label: t(`viewer.window.${name}`),
    keys,
    onPress: () => setWindow(to),
  });
  if (image.kind === "image" || !file) return [row("file", "1", window)];
  const full = { center: (file.min + file.max + 1) / 2, width: file.max - file.min + 1 };
  return [row("file", "1", window), row("auto", "2", auto), row("full", "3", full)];
}

const lensShortcuts = ({ step }: LensControls): Shortcuts => ({
  ArrowLeft: () => step([-16, 0]),
  ArrowRight: () => step([16, 0]),
  ArrowUp: () => step([0, -16]),
  ArrowDown: () => step([0, 16]),
});

const viewShortcuts = (controls: ImageControls): Shortcuts => ({
  ...buildZoomShortcuts({ zoom: controls.zoomBy, fit: controls.fit }),
  "8": controls.fitWidth,
  "9": controls.actualSize,
  I: controls.invert,
  S: () => controls.setDisplaySettings({ sharpen: controls.displaySettings.sharpen ? 0 : 1 }),
  R: () => controls.rotate(1),
  "Shift+R": () => controls.rotate(-1),
  F: controls.mirror,
  "Shift+F": controls.flip,
  "[": () => controls.rotateBy(-1),
  "]": () => controls.rotateBy(1),
  Home: controls.reset,
  ArrowLeft: () => controls.pan([40, 0]),
  ArrowRight: () => controls.pan([-40, 0]),
  ArrowUp: () => controls.pan([0, 40]),
  ArrowDown: () => controls.pan([0, -40]),
});
