import { useTexts } from "../../kernel/texts.ts";
import { spaceAngle, spaceLineAngle, type Spot } from "@arcada/imaging/view/measure";
import type { Mark } from "@arcada/contract/study/mark";
import type { Plane, PlaneName } from "@arcada/imaging/view/plane";
import { distance, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import { kindOf, type Drawn, type Ruler } from "../marks/kind.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { draftId, useDrawing, type DrawnMark, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";

/** How one pane sees patient space. */
export interface PaneSpace {
  name: PlaneName;
  plane: Plane;
  toPane: (point: Vector) => Spot;
  toPatient: (at: Spot) => Vector;
  /** Whether a point lies in the slice or slab that is shown. */
  isIn: (point: Vector) => boolean;
}

export interface PlaneDrawing extends Drawing<Vector> {
  shownIn: (space: PaneSpace) => ShownMark[];
  labels: readonly { mark: DrawnMark; label: string }[];
  /** Where a new mark of a plane belongs. */
  placeIn: (plane: NonNullable<Mark["plane"]>) => Pick<Mark, "instanceId" | "plane">;
}

/** The marks of one volume in all its planes, in patient mm. `owner` is the instance that the volume's marks hang on. */
export function usePlaneMarks(marks: Marks, owner: string | null): PlaneDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<Vector>(marks, (mark) => mark.instanceId === owner && mark.plane !== null);
  const { draft } = drawing;
  const labels = drawing.own.map((mark) => ({
    mark,
    label: kindOf(mark.tool).label(t, mark, spaceRuler),
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
        tool: mark.tool,
        points: mark.points.map((point) => space.toPane(vectorOf(point))),
      }));
      if (draft?.place.plane !== space.name) return shown;
      const drawn: Drawn = { points: draft.points.map((point) => [...point]), text: null };
      const label = kindOf(draft.tool).label(t, drawn, spaceRuler);
      return [
        ...shown,
        { id: draftId, tool: draft.tool, points: draft.points.map(space.toPane), label, isDraft: true },
      ];
    },
  };
}

/** Measures between points of patient space, in mm. */
export const spaceRuler: Ruler = {
  length: (a, b) => ({ value: distance(vectorOf(a), vectorOf(b)), unit: "mm" }),
  angle: (a, corner, b) => spaceAngle(vectorOf(a), vectorOf(corner), vectorOf(b)),
  between: (a, b, c, d) => spaceLineAngle(vectorOf(a), vectorOf(b), vectorOf(c), vectorOf(d)),
};
