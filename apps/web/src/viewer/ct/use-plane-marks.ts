import { useTexts } from "../../kernel/texts.ts";
import { spaceAngle, type Measured, type Spot } from "../geometry/measure.ts";
import type { PlaneName } from "../geometry/plane.ts";
import { distance, vectorOf, type Vector } from "../geometry/vector.ts";
import type { MarkTool } from "../marks/draft.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { measuredText } from "../marks/measured-text.ts";
import { draftId, useDrawing, type Drawing, type MeasureMark } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";

/** How one pane sees patient space. */
export interface PaneSpace {
  name: PlaneName;
  toPane: (point: Vector) => Spot;
  toPatient: (at: Spot) => Vector;
  /** Whether a point lies in the slice or slab that is shown. */
  isIn: (point: Vector) => boolean;
}

export interface PlaneDrawing extends Drawing<Vector> {
  shownIn: (space: PaneSpace) => ShownMark[];
  labels: readonly { mark: MeasureMark; label: string }[];
  /** Where a new mark of a plane belongs. */
  placeIn: (name: PlaneName) => { instanceId: string | null; plane: PlaneName };
}

/** The marks of one volume in all its planes, in patient mm. `owner` is the instance that the volume's marks hang on. */
export function usePlaneMarks(marks: Marks, owner: string | null): PlaneDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<Vector>(marks, (mark) => mark.instanceId === owner && mark.plane !== null);
  const { draft } = drawing;
  const labels = drawing.own.map((mark) => ({
    mark,
    label: measuredText(t, measured(mark.tool, mark.points.map(vectorOf))),
  }));
  return {
    ...drawing,
    labels,
    placeIn: (plane) => ({ instanceId: owner, plane }),
    shownIn: (space) => {
      const inPane = labels.filter(
        ({ mark }) => mark.plane === space.name && mark.points.map(vectorOf).every(space.isIn),
      );
      const shown = inPane.map(({ mark, label }): ShownMark => ({
        id: mark.id,
        label,
        points: mark.points.map((point) => space.toPane(vectorOf(point))),
      }));
      if (draft?.place.plane !== space.name) return shown;
      const label = measuredText(t, measured(draft.tool, draft.points));
      return [...shown, { id: draftId, points: draft.points.map(space.toPane), label, isDraft: true }];
    },
  };
}

const origin: Vector = [0, 0, 0];

const measured = (tool: MarkTool, [a = origin, b = origin, c = b]: readonly Vector[]): Measured =>
  tool === "length" ? { value: distance(a, b), unit: "mm" } : spaceAngle(a, b, c);
