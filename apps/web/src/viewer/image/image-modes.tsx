import {
  IconAdjustments,
  IconContrast2,
  IconContrastFilled,
  IconFlipHorizontal,
  IconFlipVertical,
  IconHandStop,
  IconArrowAutofitWidth,
  IconPhotoScan,
  IconRefresh,
  IconRotate,
  IconRotate2,
  IconRotateClockwise,
  IconSparkles,
  IconStackFront,
  IconZoomInArea,
  IconZoomScan,
} from "@tabler/icons-react";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { annotationToolRows } from "../annotations/annotation-tool-rows.ts";
import type { DrawingTool } from "../annotations/annotation-kind-registry.ts";
import type { AnnotationTools } from "../annotations/use-annotation-tools.tsx";
import type { PointerToolsByMode } from "../ui/modes/use-viewer-mode.ts";
import type { ModeTools, PressTool, ViewerTool } from "../ui/modes/viewer-tool.ts";
import type { ToolMenuItem } from "../ui/toolbar/toolbar.tsx";
import { buildPointerTools, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { buildZoomTools } from "../ui/toolbar/zoom-tools.tsx";
import { DisplaySettingsForm } from "./display-settings/display-settings-panel.tsx";
import type { LoadedImage, ImageFile } from "./loading/load-image.ts";
import type { OverlayToggle } from "./layers/overlay-layer.tsx";
import type { ImageControls } from "./use-image-view.ts";

export type ImageTool = "window" | "pan" | "lens" | "zoomBox" | "rotate" | DrawingTool;

const viewTools: ToolItems<ImageTool> = [
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "lens", icon: IconZoomScan, keys: "M" },
  { name: "zoomBox", icon: IconZoomInArea, keys: "Z" },
  { name: "rotate", icon: IconRotate, keys: "Y" },
];
const measuringTools: ToolItems<ImageTool> = annotationToolRows([
  "length",
  "angle",
  "calibration",
  "arrow",
  "text",
  "tooth",
  "path",
  "cobb",
  "ratio",
  "profile",
  "ellipse",
  "rectangle",
]);
/** All pointer tools of an image, with their keys. */
export const imagePointerTools: ToolItems<ImageTool> = [...viewTools, ...measuringTools];

export const imageToolsByMode: PointerToolsByMode<ImageTool> = {
  read: viewTools.map(({ name }) => name),
  measure: measuringTools.map(({ name }) => name),
  export: ["window", "arrow", "text"],
};

export interface ImageModesOptions {
  tool: ImageTool;
  selectTool: (tool: ImageTool) => void;
  controls: ImageControls;
  loaded: LoadedImage;
  file: ImageFile | null;
  overlay: OverlayToggle;
  presets: readonly ToolMenuItem[];
  annotationTools: AnnotationTools;
  exportTools: readonly ViewerTool[];
  /** Opens the tracing of a cephalogram; null for other images. */
  openCeph: (() => void) | null;
}

/** The modes of an image with their tools. */
export function useImageModes(options: ImageModesOptions): ModeTools[] {
  const t = useTexts("viewer");
  const { controls, overlay, annotationTools, exportTools, openCeph } = options;
  const pointer = Object.fromEntries(
    buildPointerTools(t, imagePointerTools, options.tool, options.selectTool).map((tool) => [tool.id, tool]),
  );
  const pick = (...names: ImageTool[]): PressTool[] => names.flatMap((name) => pointer[name] ?? []);
  const view = buildViewTools(t, controls);
  const settings = buildSettingsTools(t, options);
  const [zoomIn, zoomOut, fit] = buildZoomTools(t, {
    zoom: controls.zoomBy,
    fit: controls.fit,
    isFitted: controls.isFitted,
  });
  return [
    {
      name: "read",
      bar: [...pick("window", "pan", "lens", "zoomBox"), settings.invert, view.turnRight, view.mirror, fit],
      more: [
        settings.presets,
        settings.look,
        ...(overlay.toggle ? [buildOverlayTool(t, overlay.isOn, overlay.toggle)] : []),
        ...pick("rotate"),
        view.turnLeft,
        view.flip,
        zoomIn,
        zoomOut,
        view.actualSize,
        view.fitWidth,
        view.reset,
      ],
    },
    {
      name: "measure",
      bar: [
        ...pick("length", "angle", "calibration", "arrow", "text", "tooth"),
        annotationTools.colour,
        annotationTools.remove,
      ],
      more: [...pick("path", "cobb", "ratio", "profile", "ellipse", "rectangle"), ...annotationTools.versions],
    },
    ...(openCeph ? [{ name: "ceph" as const, bar: [], open: openCeph }] : []),
    { name: "export", bar: [...pick("window", "arrow", "text"), settings.look, ...exportTools] },
  ];
}

const buildOverlayTool = (t: Translate, isOn: boolean, toggle: () => void): ViewerTool => ({
  id: "overlay",
  label: t("viewer.overlay"),
  icon: IconStackFront,
  keys: "O",
  isOn,
  onPress: toggle,
});

const buildSettingsTools = (t: Translate, { controls, loaded, file, presets }: ImageModesOptions) =>
  ({
    invert: {
      id: "invert",
      label: t("viewer.invert"),
      icon: IconContrast2,
      keys: "I",
      isOn: controls.displaySettings.inverted,
      onPress: controls.invert,
    },
    presets: { id: "presets", label: t("viewer.window.presets"), icon: IconSparkles, items: presets },
    look: buildLookTool(t, { controls, loaded, file }),
  }) satisfies Record<string, ViewerTool>;

/** Histogram, gamma, sharpening and angle of an image. */
export const buildLookTool = (
  t: Translate,
  props: Pick<ImageModesOptions, "controls" | "loaded" | "file">,
): ViewerTool => {
  const { gamma = 1, sharpen = 0 } = props.controls.displaySettings;
  return {
    id: "look",
    label: t("viewer.look.title"),
    icon: IconAdjustments,
    isOn: gamma !== 1 || sharpen > 0,
    panel: <DisplaySettingsForm {...props} />,
  };
};

/** The tools that turn, mirror and fit an image. */
export const buildViewTools = (t: Translate, controls: ImageControls) =>
  ({
    turnRight: {
      id: "turnRight",
      label: t("viewer.turnRight"),
      icon: IconRotateClockwise,
      keys: "R",
      onPress: () => controls.rotate(1),
    },
    turnLeft: {
      id: "turnLeft",
      label: t("viewer.turnLeft"),
      icon: IconRotate2,
      keys: "Shift+R",
      onPress: () => controls.rotate(-1),
    },
    mirror: {
      id: "mirror",
      label: t("viewer.mirror"),
      icon: IconFlipHorizontal,
      keys: "F",
      isOn: controls.view?.mirrored ?? false,
      onPress: controls.mirror,
    },
    flip: { id: "flip", label: t("viewer.flip"), icon: IconFlipVertical, keys: "U", onPress: controls.flip },
    actualSize: {
      id: "actualSize",
      label: t("viewer.actualSize"),
      icon: IconPhotoScan,
      keys: "9",
      onPress: controls.actualSize,
    },
    fitWidth: {
      id: "fitWidth",
      label: t("viewer.fitWidth"),
      icon: IconArrowAutofitWidth,
      keys: "8",
      onPress: controls.fitWidth,
    },
    reset: { id: "reset", label: t("viewer.reset"), icon: IconRefresh, keys: "Home", onPress: controls.reset },
  }) satisfies Record<string, ViewerTool>;
