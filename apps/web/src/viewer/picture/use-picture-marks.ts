import { useTexts } from "../../kernel/texts.ts";
import {
  pictureAngle,
  pictureLength,
  pictureLineAngle,
  type PixelSpacing,
  type Spot,
} from "@arcada/imaging/view/measure";
import { applied, type Affine } from "@arcada/imaging/view/picture-view";
import { kindOf, type Drawn, type DrawnTool, type Ruler } from "../marks/kind.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
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
  const ruler = pictureRuler(spacing);
  const show = (id: string, tool: DrawnTool, drawn: Drawn): ShownMark => ({
    id,
    tool,
    points: matrix ? drawn.points.map((point) => applied(matrix, spotOf(point))) : [],
    label: kindOf(tool).label(t, drawn, ruler),
    isDraft: id === draftId,
  });
  const shown = drawing.own.map((mark) => show(mark.id, mark.tool, mark));
  const { draft } = drawing;
  if (draft) shown.push(show(draftId, draft.tool, { points: draft.points.map((point) => [...point]), text: null }));
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

/** Measures between image points: in mm by the spacing, in pixels without. */
const pictureRuler = (spacing: PixelSpacing | null): Ruler => ({
  length: (a, b) => pictureLength(spotOf(a), spotOf(b), spacing),
  angle: (a, corner, b) => pictureAngle(spotOf(a), spotOf(corner), spotOf(b), spacing),
  between: (a, b, c, d) => pictureLineAngle(spotOf(a), spotOf(b), spotOf(c), spotOf(d), spacing),
});
