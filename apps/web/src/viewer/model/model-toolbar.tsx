import {
  IconCamera,
  IconCameraPlus,
  IconCube,
  IconCube3dSphere,
  IconHandStop,
  IconMapPin,
  IconRotate3d,
  IconSlice,
  IconSun,
  type Icon,
} from "@tabler/icons-react";
import { cameraViewNames } from "@arcada/imaging/view/model-camera";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { useShortcuts, type Shortcuts } from "../ui/input/shortcuts.ts";
import { ModeToolbar } from "../ui/modes/mode-toolbar.tsx";
import { useViewerMode, type PointerToolsByMode } from "../ui/modes/use-viewer-mode.ts";
import type { ModeTools, PressTool, ViewerTool } from "../ui/modes/viewer-tool.ts";
import { buildPointerTools, buildToolShortcuts, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { buildZoomShortcuts, buildZoomTools } from "../ui/toolbar/zoom-tools.tsx";
import { buildViewTools } from "./view-tools.ts";
import { annotationShortcuts } from "../annotations/annotation-shortcuts.ts";
import { annotationToolRows } from "../annotations/annotation-tool-rows.ts";
import { useAnnotationTools, type AnnotationTools } from "../annotations/use-annotation-tools.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { shadings, type Shading } from "./rendering/model-display-settings.ts";
import type { CameraControls } from "./rendering/use-model-camera.ts";
import { modelAnnotationTools, type ModelDrawing, type ModelAnnotationTool } from "./use-model-annotations.ts";

export type ModelTool = "turn" | "pan" | "pin" | "cut" | "align" | ModelAnnotationTool;

const tools: ToolItems<Exclude<ModelTool, "align">> = [
  { name: "turn", icon: IconRotate3d, keys: "T" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  ...annotationToolRows(modelAnnotationTools),
  { name: "pin", icon: IconMapPin, keys: "N" },
  { name: "cut", icon: IconSlice, keys: "C" },
];

const toolsByMode: PointerToolsByMode<ModelTool> = {
  read: ["turn", "pan"],
  measure: [...modelAnnotationTools, "cut"],
  export: ["turn", "pan"],
};

export interface SceneSwitches {
  shading: Shading;
  setShading: (shading: Shading) => void;
  isLight: boolean;
  toggleLight: () => void;
  /** Null while a coarse copy is drawn, of which no image is saved. */
  saveImage: ((withAnnotations: boolean) => void) | null;
}

interface Props {
  tool: ModelTool;
  onTool: (tool: ModelTool) => void;
  controls: CameraControls;
  annotations: AnnotationStore;
  drawing: ModelDrawing;
  switches: SceneSwitches;
}

export function ModelToolbar({ tool, onTool, controls, annotations, drawing, switches }: Props) {
  const t = useTexts("viewer");
  const { shading, setShading, toggleLight, saveImage } = switches;
  const next = shadings[(shadings.indexOf(shading) + 1) % shadings.length] ?? "smooth";
  useShortcuts({
    ...buildToolShortcuts(tools, onTool),
    ...buildCameraShortcuts(controls),
    ...annotationShortcuts(annotations, drawing),
    B: toggleLight,
    W: () => setShading(next),
    P: () => saveImage?.(true),
    "Shift+P": () => saveImage?.(false),
  });
  const annotationTools = useAnnotationTools(annotations, drawing);
  const pointer = buildPointerTools(t, tools, tool, onTool);
  const modes = buildModes(t, { pointer, controls, switches, annotationTools });
  const [mode, setMode] = useViewerMode(toolsByMode, tool, onTool);
  const comment = pointer.filter(({ id }) => id === "pin");
  return (
    <>
      <ModeToolbar modes={modes} mode={mode} onMode={setMode} common={[...comment, ...annotationTools.history]} />
      {annotationTools.dialog}
    </>
  );
}

interface ModeOptions {
  pointer: readonly PressTool[];
  controls: CameraControls;
  switches: SceneSwitches;
  annotationTools: AnnotationTools;
}

function buildModes(t: Translate, { pointer, controls, switches, annotationTools }: ModeOptions): ModeTools[] {
  const pick = (...names: ModelTool[]) => pointer.filter(({ id }) => names.some((name) => name === id));
  const views = buildViewTools(t, controls);
  const [zoomIn, zoomOut, fit] = buildZoomTools(t, { zoom: controls.zoom, fit: controls.fit });
  const { perspective, shading, light, pictures } = buildSceneTools(t, controls, switches);
  return [
    {
      name: "read",
      bar: [...pick("turn", "pan"), ...views.slice(0, 5), fit],
      more: [...views.slice(5), zoomIn, zoomOut, perspective, shading, light],
    },
    {
      name: "measure",
      bar: [...pick(...modelAnnotationTools, "cut"), annotationTools.colour, annotationTools.remove],
      more: annotationTools.versions,
    },
    { name: "export", bar: [...pick("turn", "pan"), light, shading, perspective, ...pictures] },
  ];
}

function buildSceneTools(t: Translate, controls: CameraControls, switches: SceneSwitches) {
  const { shading, setShading, isLight, toggleLight, saveImage } = switches;
  const perspective: ViewerTool = {
    id: "perspective",
    label: t("viewer.model.perspective"),
    icon: IconCube,
    keys: "O",
    isOn: controls.camera?.hasPerspective ?? false,
    onPress: controls.togglePerspective,
  };
  const surface: ViewerTool = {
    id: "shading",
    label: t("viewer.model.shading"),
    icon: IconCube3dSphere,
    items: shadings.map((name) => ({
      key: name,
      label: t(`viewer.model.shadingName.${name}`),
      isOn: name === shading,
      onPress: () => setShading(name),
    })),
  };
  const light: ViewerTool = {
    id: "light",
    label: t("viewer.lightGround"),
    icon: IconSun,
    keys: "B",
    isOn: isLight,
    onPress: toggleLight,
  };
  const picture = (id: "pictureWith" | "pictureWithout", icon: Icon, keys: string): ViewerTool => ({
    id,
    icon,
    keys,
    label: t(`viewer.model.${id}`),
    disabled: !saveImage,
    onPress: () => saveImage?.(id === "pictureWith"),
  });
  const pictures = [picture("pictureWith", IconCameraPlus, "P"), picture("pictureWithout", IconCamera, "Shift+P")];
  return { perspective, shading: surface, light, pictures };
}

const step = 24;

const buildCameraShortcuts = (controls: CameraControls): Shortcuts => ({
  ...Object.fromEntries(cameraViewNames.map((name, at) => [String(at + 1), () => controls.showView(name)])),
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
  ...buildZoomShortcuts(controls),
  O: controls.togglePerspective,
  R: () => controls.showView("front"),
});
