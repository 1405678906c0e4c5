import { IconFileCode } from "@tabler/icons-react";
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
import { useExportTools } from "../export/use-export-tools.ts";
import { savePresentationState } from "../export/save-presentation-state.ts";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import type { ImageDrawing } from "./annotations/use-image-annotations.ts";

interface Options {
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

/** The tools that export the content of the viewport at the image's own resolution; none before it is shown. */
export function useImageExportTools({
  viewportRef,
  instance,
  frame,
  image,
  annotations: { studyId },
  drawing,
  view,
  displaySettings,
  viewport,
}: Options): ViewerTool[] {
  const t = useTexts("viewer");
  const mayState = useCanAccess(presentationCalls.presentation);
  const { id: instanceId, picture: file } = instance;
  const rescale = file ?? { valueScale: 1, valueOffset: 0 };
  const matrix = view && viewport && computeViewMatrix(view, image, viewport);
  const repaint = (by: number): HTMLCanvasElement => {
    const { renderer, canvas } = createImageRenderer(document.createElement("div"), image, false);
    if (!matrix) return canvas;
    const size = { width: Math.round(viewport.width * by), height: Math.round(viewport.height * by) };
    renderer.render(magnifyMatrix(matrix, [0, 0], [0, 0], by), size, { ...displaySettings, sharpen: 0 });
    return canvas;
  };
  const snapshot = () => {
    const maxScale = maxCanvasSide / Math.max(viewport?.width ?? 1, viewport?.height ?? 1);
    return { scale: Math.min(maxScale, Math.max(window.devicePixelRatio, 1 / (view?.zoom ?? 1))), repaint };
  };
  const tools = useExportTools({
    viewportRef,
    name: instanceId,
    snapshot,
    notes: [t("viewer.windowText", rescaleWindow(rescale, displaySettings.window))],
  });
  if (!matrix) return [];
  if (!mayState || studyId === null || file?.format !== "grey16") return tools;
  const savePresentation = () =>
    void savePresentationState({
      studyId,
      instanceId,
      frame,
      view,
      displaySettings,
      rescale,
      annotations: drawing.shown,
      screenToImage: invertAffine(matrix),
    });
  const label = t("viewer.export.presentation");
  return [...tools, { id: "presentation", label, icon: IconFileCode, onPress: savePresentation }];
}
