import { useTexts } from "../../kernel/texts.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import { distance, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { measuredText } from "../marks/measured-text.ts";
import { draftId, useDrawing, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";

export interface ModelDrawing extends Drawing<Vector> {
  shown: ShownMark[];
}

/** Lengths between points of the surfaces of these models, in mm. */
export function useModelMarks(marks: Marks, ids: readonly string[], toScreen: (point: Vector) => Spot): ModelDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<Vector>(
    marks,
    ({ tool, instanceId }) => tool === "length" && instanceId !== null && ids.includes(instanceId),
  );
  const show = (id: string, points: readonly Vector[]): ShownMark => ({
    id,
    tool: "length",
    points: points.map(toScreen),
    label: measuredText(t, { value: distance(points[0] ?? origin, points[1] ?? origin), unit: "mm" }),
    isDraft: id === draftId,
  });
  const shown = drawing.own.map((mark) => show(mark.id, mark.points.map(vectorOf)));
  if (drawing.draft) shown.push(show(draftId, drawing.draft.points));
  return { ...drawing, shown };
}

const origin: Vector = [0, 0, 0];
