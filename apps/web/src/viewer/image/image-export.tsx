import type { RefObject } from "react";
import type { Instance } from "@arcada/contract/study/study.schema";
import { presentationCalls } from "@arcada/contract/study/presentation-state.calls";
import type { DisplaySettings, RasterImage } from "@arcada/imaging/gl/raster-image";
import { createImageRenderer } from "@arcada/imaging/gl/choose-image-renderer";
import { rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import {
  magnifyMatrix,
  invertAffine,
  computeViewMatrix,
  type ImageView,
  type Size,
} from "@arcada/imaging/view/image-view";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { savePresentationState } from "../export/save-presentation-state.ts";
import type { ToolMenuItem } from "../ui/toolbar/toolbar.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import type { ImageDrawing } from "./annotations/use-image-annotations.ts";

interface Props {
  viewportRef: RefObject<HTMLElement | null>;
  instance: Instance;
  frame: number;
  image: RasterImage;
  annotations: AnnotationStore;
  drawing: ImageDrawing;
  view: ImageView | null;
  displaySettings: DisplaySettings;
  viewport: Size | null;
}

/** The largest side of an exported image: larger canvases fail in some browsers. */
const maxCanvasSide = 8192;

/** Exports the content of the viewport at the image's own resolution. */
export function ImageExport({
  viewportRef,
  instance,
  frame,
  image,
  annotations,
  drawing,
  view,
  displaySettings,
  viewport,
}: Props) {
  const t = useTexts("viewer");
  const mayState = useCanAccess(presentationCalls.presentation);
  if (!view || !viewport) return null;
  const { id: instanceId, picture: file } = instance;
  const { studyId } = annotations;
  const rescale = file ?? { valueScale: 1, valueOffset: 0 };
  const matrix = computeViewMatrix(view, image, viewport);
  const maxScale = maxCanvasSide / Math.max(viewport.width, viewport.height);
  const scale = Math.min(maxScale, Math.max(window.devicePixelRatio, 1 / view.zoom));
  const presentationRows: ToolMenuItem[] =
    mayState && studyId !== null && file?.format === "grey16"
      ? [
          {
            key: "presentation",
            label: t("viewer.export.presentation"),
            onPress: () =>
              void savePresentationState({
                studyId,
                instanceId,
                frame,
                view,
                displaySettings,
                rescale,
                annotations: drawing.shown,
                screenToImage: invertAffine(matrix),
              }),
          },
        ]
      : [];
  const repaint = (by: number): HTMLCanvasElement => {
    const { renderer, canvas } = createImageRenderer(document.createElement("div"), image, false);
    const size = { width: Math.round(viewport.width * by), height: Math.round(viewport.height * by) };
    renderer.render(magnifyMatrix(matrix, [0, 0], [0, 0], by), size, { ...displaySettings, sharpen: 0 });
    return canvas;
  };
  return (
    <ExportMenu
      viewportRef={viewportRef}
      name={instanceId}
      snapshot={() => ({ scale, repaint })}
      notes={[t("viewer.windowText", rescaleWindow(rescale, displaySettings.window))]}
      extraRows={presentationRows}
    />
  );
}
