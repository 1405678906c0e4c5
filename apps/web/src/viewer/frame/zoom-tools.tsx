import { IconMaximize, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import type { Keys } from "./shortcuts.ts";
import { Tool } from "./toolbar.tsx";

interface Zooming {
  /** Zooms by this factor. */
  zoom: (factor: number) => void;
  fit: () => void;
}

const closer = 1.25;
const further = 1 / closer;

/** Zoom in, zoom out and fit, alike in every viewer. */
export function ZoomTools({ zoom, fit, isFitted }: Zooming & { isFitted?: boolean }) {
  const t = useTexts("viewer");
  return (
    <>
      <Tool label={t("viewer.zoomIn")} icon={IconZoomIn} keys="+" onPress={() => zoom(closer)} />
      <Tool label={t("viewer.zoomOut")} icon={IconZoomOut} keys="-" onPress={() => zoom(further)} />
      <Tool
        label={t("viewer.fit")}
        icon={IconMaximize}
        keys="0"
        onPress={fit}
        {...(isFitted !== undefined && { isOn: isFitted })}
      />
    </>
  );
}

export const zoomKeys = ({ zoom, fit }: Zooming): Keys => ({
  "+": () => zoom(closer),
  "=": () => zoom(closer),
  "-": () => zoom(further),
  "0": fit,
});
