import { IconMaximize, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import type { Translate } from "../../../i18n/texts.ts";
import type { Shortcuts } from "../input/shortcuts.ts";
import type { PressTool } from "../modes/viewer-tool.ts";

interface ZoomActions {
  /** Zooms by this factor. */
  zoom: (factor: number) => void;
  fit: () => void;
}

const zoomInFactor = 1.25;
const zoomOutFactor = 1 / zoomInFactor;

/** Zoom in, zoom out and fit, alike in every viewer. */
export const buildZoomTools = (
  t: Translate,
  { zoom, fit, isFitted }: ZoomActions & { isFitted?: boolean },
): [zoomIn: PressTool, zoomOut: PressTool, fit: PressTool] => [
  { id: "zoomIn", label: t("viewer.zoomIn"), icon: IconZoomIn, keys: "+", onPress: () => zoom(zoomInFactor) },
  { id: "zoomOut", label: t("viewer.zoomOut"), icon: IconZoomOut, keys: "-", onPress: () => zoom(zoomOutFactor) },
  {
    id: "fit",
    label: t("viewer.fit"),
    icon: IconMaximize,
    keys: "0",
    onPress: fit,
    ...(isFitted !== undefined && { isOn: isFitted }),
  },
];

export const buildZoomShortcuts = ({ zoom, fit }: ZoomActions): Shortcuts => ({
  "+": () => zoom(zoomInFactor),
  "=": () => zoom(zoomInFactor),
  "-": () => zoom(zoomOutFactor),
  "0": fit,
});
