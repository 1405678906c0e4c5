import type { RefObject } from "react";
import type { Instance } from "@arcada/contract/study/study.calls";
import { presentationCalls } from "@arcada/contract/study/presentation.calls";
import type { Look, Picture } from "@arcada/imaging/gl/picture";
import { openPainter } from "@arcada/imaging/gl/picture-painter";
import { trueWindow } from "@arcada/imaging/view/true-value";
import { enlarged, inverted, viewMatrix, type PictureView, type Size } from "@arcada/imaging/view/picture-view";
import { useMay } from "../../kernel/permit.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { ExportMenu } from "../export/export-menu.tsx";
import { savePresentation } from "../export/presentation.ts";
import type { MenuRow } from "../frame/toolbar.tsx";
import type { Marks } from "../marks/use-marks.ts";
import type { PictureDrawing } from "./use-picture-marks.ts";

interface Props {
  pane: RefObject<HTMLElement | null>;
  instance: Instance;
  frame: number;
  picture: Picture;
  marks: Marks;
  drawing: PictureDrawing;
  view: PictureView | null;
  look: Look;
  viewport: Size | null;
}

/** The largest side of an exported image: larger canvases fail in some browsers. */
const mostPixels = 8192;

/** Exports the content of the viewport at the image's own resolution. */
export function PictureExport({ pane, instance, frame, picture, marks, drawing, view, look, viewport }: Props) {
  const t = useTexts("viewer");
  const mayState = useMay(presentationCalls.presentation);
  if (!view || !viewport) return null;
  const { id: instanceId, picture: file } = instance;
  const { studyId } = marks;
  const scaled = file ?? { valueScale: 1, valueOffset: 0 };
  const matrix = viewMatrix(view, picture, viewport);
  const sharpest = mostPixels / Math.max(viewport.width, viewport.height);
  const scale = Math.min(sharpest, Math.max(window.devicePixelRatio, 1 / view.zoom));
  const state: MenuRow[] =
    mayState && studyId !== null && file?.format === "grey16"
      ? [
          {
            key: "presentation",
            label: t("viewer.export.presentation"),
            onPress: () =>
              void savePresentation({
                studyId,
                instanceId,
                frame,
                view,
                look,
                scaled,
                marks: drawing.shown,
                toImage: inverted(matrix),
              }),
          },
        ]
      : [];
  const repaint = (by: number): HTMLCanvasElement => {
    const { painter, canvas } = openPainter(document.createElement("div"), picture, false);
    const size = { width: Math.round(viewport.width * by), height: Math.round(viewport.height * by) };
    painter.paint(enlarged(matrix, [0, 0], [0, 0], by), size, { ...look, sharpen: 0 });
    return canvas;
  };
  return (
    <ExportMenu
      pane={pane}
      name={instanceId}
      snapshot={() => ({ scale, repaint })}
      words={[t("viewer.windowText", trueWindow(scaled, look.window))]}
      more={state}
    />
  );
}
