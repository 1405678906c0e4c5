import { useTexts } from "../../kernel/texts.ts";
import { pictureAngle, pictureLength, type Measured, type PixelSpacing, type Spot } from "../geometry/measure.ts";
import { applied, type Affine } from "../geometry/picture-view.ts";
import type { MarkTool } from "../marks/draft.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { measuredText } from "../marks/measured-text.ts";
import { draftId, useDrawing, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";

export interface PictureDrawing extends Drawing<Spot> {
  shown: ShownMark[];
}

/**
 * The marks of one picture, drawn where the matrix puts image points. In frames after the first, points have the frame,
 * counted from 0, as their third number.
 */
export function usePictureMarks(
  marks: Marks,
  { instanceId, frame }: { instanceId: string; frame: number },
  matrix: Affine | null,
  spacing: PixelSpacing | null,
): PictureDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<readonly number[]>(
    marks,
    (mark) => mark.instanceId === instanceId && (mark.points[0]?.[2] ?? 0) === frame,
  );
  const framed = ([x, y]: Spot): readonly number[] => (frame > 0 ? [x, y, frame] : [x, y]);
  const show = (id: string, tool: MarkTool, points: readonly Spot[]): ShownMark => ({
    id,
    points: matrix ? points.map((point) => applied(matrix, point)) : [],
    label: measuredText(t, measured(tool, points, spacing)),
    isDraft: id === draftId,
  });
  const shown = drawing.own.map(({ id, tool, points }) => show(id, tool, points.map(spotOf)));
  if (drawing.draft) shown.push(show(draftId, drawing.draft.tool, drawing.draft.points.map(spotOf)));
  return {
    ...drawing,
    draft: drawing.draft && { ...drawing.draft, points: drawing.draft.points.map(spotOf) },
    press: (tool, point, at, place) => drawing.press(tool, framed(point), at, place),
    move: (point, plane) => drawing.move(framed(point), plane),
    release: (point, at) => drawing.release(point && framed(point), at),
    add: (tool, points, place) => drawing.add(tool, points.map(framed), place),
    movePoint: (id, index, point, isOver) => drawing.movePoint(id, index, point && framed(point), isOver),
    shown,
  };
}

const spotOf = ([x = 0, y = 0]: readonly number[]): Spot => [x, y];

const measured = (
  tool: MarkTool,
  [a = [0, 0], b = [0, 0], c = b]: readonly Spot[],
  spacing: PixelSpacing | null,
): Measured => (tool === "length" ? pictureLength(a, b, spacing) : pictureAngle(a, b, c, spacing));
