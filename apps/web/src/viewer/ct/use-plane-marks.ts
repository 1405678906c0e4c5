import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { RegionShape } from "@arcada/imaging/view/grey-values";
import { spaceAngle, spaceLineAngle, type Spot } from "@arcada/imaging/view/measure";
import type { Plane, PlaneName } from "@arcada/imaging/view/plane";
import { distance, dot, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import { useTexts } from "../../kernel/texts.ts";
import { kindOf, type Drawn, type Ruler } from "../marks/kind.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { draftId, useDrawing, type DrawnMark, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";
import { planeOfMark, turnSettings } from "./mark-plane.ts";
import { regionReader, type RegionReader } from "./region-reader.ts";
import type { VolumeStore } from "./volume-store.ts";

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
  /** Where a new mark belongs; a plane that is turned is kept with it. */
  placeIn: (plane: NonNullable<Mark["plane"]>, turned?: Plane) => Pick<Mark, "instanceId" | "plane" | "settings">;
}

/** The marks of one volume in all its planes, in patient mm. `owner` is the instance that the volume's marks hang on. */
export function usePlaneMarks(marks: Marks, owner: string | null, store: VolumeStore): PlaneDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<Vector>(marks, (mark) => mark.instanceId === owner && mark.plane !== null);
  const [read] = useState(regionReader);
  const { draft } = drawing;
  const labelOf = (tool: DrawnMark["tool"], drawn: Drawn, plane: Plane): string =>
    kindOf(tool).label(t, drawn, volumeRuler(store, plane, read, drawn));
  const labels = drawing.own.map((mark) => ({ mark, label: labelOf(mark.tool, mark, planeOfMark(mark)) }));
  return {
    ...drawing,
    labels,
    placeIn: (plane, turned) => ({ instanceId: owner, plane, ...turnSettings(plane, turned) }),
    shownIn: (space) => {
      const shown = labels
        .filter(({ mark }) => isShownIn(mark, space))
        .map(({ mark, label }): ShownMark => ({
          id: mark.id,
          label,
          tool: mark.tool,
          points: mark.points.map((point) => space.toPane(vectorOf(point))),
        }));
      if (draft?.place.plane !== space.name) return shown;
      const drawn: Drawn = { points: draft.points.map((point) => [...point]), text: null };
      const label = labelOf(draft.tool, drawn, space.plane);
      return [
        ...shown,
        { id: draftId, tool: draft.tool, points: draft.points.map(space.toPane), label, isDraft: true },
      ];
    },
  };
}

/** Lines are shown wherever they lie in the plane; a region is flat, it is shown where the screen lies as it was drawn. */
function isShownIn(mark: DrawnMark, { plane, isIn }: PaneSpace): boolean {
  if (!mark.points.map(vectorOf).every(isIn)) return false;
  if (!isFlat(mark.tool)) return true;
  const own = planeOfMark(mark);
  return dot(own.right, plane.right) > 0.9999 && dot(own.down, plane.down) > 0.9999;
}

const isFlat = (tool: DrawnMark["tool"]): boolean => tool === "ellipse" || tool === "rectangle";

/** Measures between points of patient space, in mm; grey values from what has arrived lossless. */
function volumeRuler(store: VolumeStore, plane: Plane, read: RegionReader, drawn: Drawn): Ruler {
  const measures: Ruler = {
    length: (a, b) => ({ value: distance(vectorOf(a), vectorOf(b)), unit: "mm" }),
    angle: (a, corner, b) => spaceAngle(vectorOf(a), vectorOf(corner), vectorOf(b)),
    between: (a, b, c, d) => spaceLineAngle(vectorOf(a), vectorOf(b), vectorOf(c), vectorOf(d)),
  };
  // A mean over a part of the slices would look like that of all.
  if (store.slices < store.info.slices) return measures;
  return {
    ...measures,
    region: (shape: RegionShape, a, b) => read.region(store, plane, shape, vectorOf(a), vectorOf(b), drawn),
    profile: (a, b) => read.profile(store, vectorOf(a), vectorOf(b), drawn),
  };
}
