import { IconList } from "@tabler/icons-react";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { useSearchParams } from "../../browser/navigation.tsx";
import { annotationShortcuts } from "../annotations/annotation-shortcuts.ts";
import { useAnnotationTools } from "../annotations/use-annotation-tools.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { useShortcuts, type Shortcuts } from "../ui/input/shortcuts.ts";
import { ModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import { useViewerMode } from "../ui/modes/use-viewer-mode.ts";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import type { ToolMenuItem } from "../ui/toolbar/toolbar.tsx";
import { buildToolShortcuts } from "../ui/toolbar/tool-buttons.tsx";
import { buildZoomShortcuts } from "../ui/toolbar/zoom-tools.tsx";
import { imagePointerTools, imageToolsByMode, useImageModes, type ImageTool } from "./image-modes.tsx";
import type { LoadedImage, ImageFile } from "./loading/load-image.ts";
import type { OverlayToggle } from "./layers/overlay-layer.tsx";
import type { LensControls } from "./use-lens.ts";
import type { ImageDrawing } from "./annotations/use-image-annotations.ts";
import type { ImageControls } from "./use-image-view.ts";

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
  exportTools: readonly ViewerTool[];
  openCeph: (() => void) | null;
}

export function ImageTools({ tool, onTool, controls, loaded, file, annotations, drawing, overlay, ...rest }: Props) {
  const t = useTexts("viewer");
  const { lens, isListOpen, onList, exportTools, openCeph } = rest;
  const presets = createWindowPresets(t, controls, loaded, file);
  // Selecting the magnifier again increases its magnification.
  const selectTool = (next: ImageTool) => {
    if (next === "lens" && tool === "lens") return lens.increaseMagnification();
    // A user who selects another tool has finished the annotation: Enter begins a new one.
    drawing.choose(null);
    onTool(next);
  };
  useShortcuts({
    ...buildToolShortcuts(imagePointerTools, selectTool),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...(overlay.toggle && { O: overlay.toggle }),
    ...viewShortcuts(controls),
    ...(tool === "lens" && lens.lens && lensShortcuts(lens)),
    ...annotationShortcuts(annotations, drawing),
    B: onList,
  });
  const annotationTools = useAnnotationTools(annotations, drawing);
  const parts = { controls, loaded, file, overlay, presets, annotationTools, exportTools, openCeph };
  const modes = useImageModes({ tool, selectTool, ...parts });
  const { mode: requested } = useSearchParams();
  const [mode, setMode] = useViewerMode(
    imageToolsByMode,
    tool,
    selectTool,
    requested === "measure" ? "measure" : "read",
  );
  const list: ViewerTool = {
    id: "list",
    label: t("viewer.marks.title"),
    icon: IconList,
    keys: "B",
    isOn: isListOpen,
    onPress: onList,
  };
  return (
    <>
      <ModeToolbar modes={modes} mode={mode} onMode={setMode} common={[...annotationTools.history, list]} />
      {annotationTools.dialog}
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
  U: controls.flip,
  "[": () => controls.rotateBy(-1),
  "]": () => controls.rotateBy(1),
  Home: controls.reset,
  ArrowLeft: () => controls.pan([40, 0]),
  ArrowRight: () => controls.pan([-40, 0]),
  ArrowUp: () => controls.pan([0, 40]),
  ArrowDown: () => controls.pan([0, -40]),
});
