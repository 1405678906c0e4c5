import { IconMaximize, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { useTexts } from "../../../i18n/texts.ts";
import type { Shortcuts } from "../input/shortcuts.ts";
import { ToolButton } from "./toolbar.tsx";

interface ZoomActions {
  /** Zooms by this factor. */
  zoom: (factor: number) => void;
  fit: () => void;
}

const zoomInFactor = 1.25;
const zoomOutFactor = 1 / zoomInFactor;

/** Zoom in, zoom out and fit, alike in every viewer. */
export function ZoomTools({ zoom, fit, isFitted }: ZoomActions & { isFitted?: boolean }) {
  const t = useTexts("viewer");
  return (
    <>
      <ToolButton label={t("viewer.zoomIn")} icon={IconZoomIn} keys="+" onPress={() => zoom(zoomInFactor)} />
      <ToolButton label={t("viewer.zoomOut")} icon={IconZoomOut} keys="-" onPress={() => zoom(zoomOutFactor)} />
      <ToolButton
        label={t("viewer.fit")}
        icon={IconMaximize}
        keys="0"
        onPress={fit}
        {...(isFitted !== undefined && { isOn: isFitted })}
      />
    </>
  );
}

export const buildZoomShortcuts = ({ zoom, fit }: ZoomActions): Shortcuts => ({
  "+": () => zoom(zoomInFactor),
  "=": () => zoom(zoomInFactor),
  "-": () => zoom(zoomOutFactor),
  "0": fit,
});
