import { useMemo } from "react";
import type { Picture } from "@arcada/imaging/gl/picture";
import type { PixelSpacing, Spot } from "@arcada/imaging/view/measure";
import { applied, type Affine } from "@arcada/imaging/view/picture-view";
import { kindOf, type Drawn, type DrawnTool, type Ruler } from "../marks/kind.ts";
import { colourOf, nextColour } from "../marks/mark-colour.ts";
import type { Lines, ShownMark } from "../marks/marks-layer.tsx";
import { useMarkLabel } from "../marks/use-mark-label.ts";
import { draftId, useDrawing, type DrawnMark, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";
import { calibrationOf, type HandCalibration } from "./calibration.ts";
import type { PictureFile } from "./load-picture.ts";
import { pictureRuler, spotOf } from "./picture-ruler.ts";

export interface PictureDrawing extends Drawing<Spot> {
  shown: ShownMark[];
  labels: readonly { mark: DrawnMark; label: string }[];
  ruler: Ruler;
  /** Null if only the file's own spacing applies. */
  calibration: HandCalibration | null;
}

/** The source of grey values; without it, none are read. */
export interface ValueSource {
  picture: Picture;
  file: PictureFile | null;
}

/**
 * The annotations of one image, drawn at the screen positions of their image points. In frames after the first, points
 * have the frame, counted from 0, as their third number.
 */
export function usePictureMarks(
  marks: Marks,
  { instanceId, frame }: { instanceId: string; frame: number },
  matrix: Affine | null,
  spacing: PixelSpacing | null,
  values: ValueSource | null = null,
): PictureDrawing {
  const labelOf = useMarkLabel();
  const drawing = useDrawing<readonly number[]>(
    marks,
    (mark) => mark.instanceId === instanceId && (mark.points[0]?.[2] ?? 0) === frame,
  );
  const framed = ([x, y]: Spot): readonly number[] => (frame > 0 ? [x, y, frame] : [x, y]);
  const calibration = calibrationOf(marks.list, instanceId, spacing);
  const { row, column } = calibration?.spacing ?? spacing ?? { row: 0, column: 0 };
  const { picture = null, file = null } = values ?? {};
  const ruler = useMemo(
    () => pictureRuler(row > 0 ? { row, column } : null, picture, file),
    [row, column, picture, file],
  );
  const labels = drawing.own.map((mark) => ({ mark, label: labelOf(mark.tool, mark, ruler) }));
  const shown = labels.map(({ mark, label }) => shownAs(mark.id, mark.tool, mark, label, matrix));
  const { draft } = drawing;
  if (draft) {
    const drawn = { points: draft.points.map((point) => [...point]), text: null };
    shown.push(shownAs(draftId, draft.tool, drawn, labelOf(draft.tool, drawn, ruler), matrix));
  }
  return {
    ...drawing,
    draft: drawing.draft && { ...drawing.draft, points: drawing.draft.points.map(spotOf) },
    press: (tool, point, at, place) => drawing.press(tool, framed(point), at, place),
    move: (point, plane) => drawing.move(framed(point), plane),
    release: (point, at) => drawing.release(point && framed(point), at),
    add: (tool, points, place) => drawing.add(tool, points.map(framed), place),
    movePoint: (id, index, point, isOver) => drawing.movePoint(id, index, point && framed(point), isOver),
    shown,
    labels: labels.filter(({ mark }) => mark.id !== draftId),
    ruler,
    calibration,
  };
}

/** A tool's lines are computed in image coordinates: a vertical there rotates with the image. */
function shownAs(id: string, tool: DrawnTool, drawn: Drawn, label: string, matrix: Affine | null): ShownMark {
  const kind = kindOf(tool);
  const points = drawn.points.map(spotOf);
  const toScreen = (lines: Lines): Lines => lines.map((line) => line.map((point) => applied(matrix ?? still, point)));
  return {
    id,
    tool,
    label,
    colour: id === draftId ? nextColour() : colourOf(drawn),
    points: matrix ? points.map((point) => applied(matrix, point)) : [],
    isDraft: id === draftId,
    ...(kind.lines && { lines: toScreen(kind.lines(points)) }),
    ...(kind.guides && { guides: toScreen(kind.guides(points)) }),
  };
}

const still: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
