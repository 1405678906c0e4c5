import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { Profile, RegionShape } from "@arcada/imaging/view/grey-values";
import { spaceAngle, spaceLineAngle, type Spot } from "@arcada/imaging/view/measure";
import type { Plane, PlaneName } from "@arcada/imaging/view/plane";
import { distance, dot, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import { kindOf, type Drawn, type Ruler } from "../marks/kind.ts";
import { colourOf, nextColour } from "../marks/mark-colour.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { useMarkLabel } from "../marks/use-mark-label.ts";
import { draftId, useDrawing, type DrawnMark, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";
import { isPlanMark } from "./arch/plan.ts";
import type { Arch } from "./arch/use-arch.ts";
import { planeOfMark, turnSettings } from "./mark-plane.ts";
import { regionReader, type RegionReader } from "./region-reader.ts";
import type { VolumeStore } from "./volume-store.ts";

/** The projection of patient space in one viewport; a curved surface along the arch has no plane of its own. */
export interface MarkSpace {
  name: NonNullable<Mark["plane"]>;
  plane: Plane;
  toPane: (point: Vector) => Spot;
  toPatient: (at: Spot) => Vector;
  /** True if a point is in the slice or slab that is shown. */
  isIn: (point: Vector) => boolean;
}

export interface PaneSpace extends MarkSpace {
  name: PlaneName;
}

export interface PlaneDrawing extends Drawing<Vector> {
  shownIn: (space: MarkSpace) => ShownMark[];
  labels: readonly { mark: DrawnMark; label: string }[];
  /** The grey values along a profile; null for other annotations and while slices are missing. */
  profileOf: (mark: DrawnMark) => Profile | null;
  /** The id of the viewport in which the pointer or the keys were used last; it is kept while an input is open. */
  workedIn: string | null;
  workIn: (pane: string) => void;
  /** Returns the owner of a new annotation; the rotation of a rotated plane is stored with it. */
  placeIn: (plane: NonNullable<Mark["plane"]>, turned?: Plane) => Pick<Mark, "instanceId" | "plane" | "settings">;
}

/**
 * The annotations of one volume in all its planes, in patient mm. `owner` is the instance to which the volume's
 * annotations belong.
 */
export function usePlaneMarks(marks: Marks, owner: string | null, store: VolumeStore, arch: Arch): PlaneDrawing {
  const told = useMarkLabel();
  const drawing = useDrawing<Vector>(
    { ...marks, put: (mark) => marks.put(arch.completed(mark)) },
    (mark) => mark.instanceId === owner && mark.plane !== null && !isPlanMark(mark),
  );
  const [read] = useState(regionReader);
  const [workedIn, workIn] = useState<string | null>(null);
  const { draft } = drawing;
  const labelOf = (tool: DrawnMark["tool"], drawn: Drawn & Pick<Mark, "plane">, plane: Plane): string =>
    told(tool, drawn, { ...volumeRuler(store, plane, read, drawn), ...arch.rulerOf(drawn) });
  const labels = drawing.own.map((mark) => ({ mark, label: labelOf(mark.tool, mark, planeOfMark(mark)) }));
  return {
    ...drawing,
    ...spatial(drawing, arch),
    labels,
    profileOf: (mark) => {
      const [a, b] = mark.points.map(vectorOf);
      const isKnown = mark.tool === "profile" && store.slices === store.info.slices;
      return isKnown && a && b ? read.profile(store, a, b, mark) : null;
    },
    workedIn,
    workIn: (pane) => drawing.asked || workIn(pane),
    placeIn: (plane, turned) => ({ instanceId: owner, plane, ...turnSettings(plane, turned) }),
    shownIn: (space) => {
      const shown = labels
        .filter(({ mark }) => isShownIn(mark, space))
        .map(({ mark, label }): ShownMark => ({
          id: mark.id,
          label,
          tool: mark.tool,
          colour: colourOf(mark),
          points: mark.points.map((point) => space.toPane(vectorOf(point))),
        }));
      if (!draft || (draft.place.plane !== space.name && draft.place.plane !== "volume")) return shown;
      const drawn = { points: draft.points.map((point) => [...point]), text: null, plane: draft.place.plane };
      const label = labelOf(draft.tool, drawn, space.plane);
      return [
        ...shown,
        {
          id: draftId,
          tool: draft.tool,
          points: draft.points.map(space.toPane),
          label,
          colour: nextColour(),
          isDraft: true,
        },
      ];
    },
  };
}

/** Planned objects are drawn through all viewports; a press with the arch tool adds a point to the existing arch. */
const spatial = (drawing: Drawing<Vector>, arch: Arch): Pick<Drawing<Vector>, "press" | "move" | "add"> => ({
  press: (tool, point, at, place) => {
    if (tool === "arch" && hasArch(arch)) return place.plane === "axial" ? arch.addPoint(point) : undefined;
    drawing.press(tool, point, at, kindOf(tool).isPlanned ? { ...place, plane: "volume" } : place);
  },
  move: (point, plane) => drawing.move(point, drawing.draft?.place.plane === "volume" ? "volume" : plane),
  add: (tool, points, place) => (tool === "arch" && hasArch(arch) ? undefined : drawing.add(tool, points, place)),
});

const hasArch = ({ path, isAnew }: Arch): boolean => path !== null && !isAnew;

/**
 * Lines are shown wherever they lie in the plane. A region is flat: it is shown only if the plane has the orientation
 * in which it was drawn.
 */
function isShownIn(mark: DrawnMark, { name, plane, isIn }: MarkSpace): boolean {
  // A stroke on the unrolled curved surface is a curve in the patient, and a straight line of the patient is none on
  // that surface.
  if ((mark.plane === "panorama") !== (name === "panorama")) return false;
  if (!mark.points.map(vectorOf).every(isIn)) return false;
  if (!isFlat(mark.tool)) return true;
  const own = planeOfMark(mark);
  return dot(own.right, plane.right) > 0.9999 && dot(own.down, plane.down) > 0.9999;
}

const isFlat = (tool: DrawnMark["tool"]): boolean => tool === "ellipse" || tool === "rectangle";

/** Measures between points of patient space, in mm; grey values from the slices loaded without loss. */
function volumeRuler(store: VolumeStore, plane: Plane, read: RegionReader, drawn: Drawn): Ruler {
  const measures: Ruler = {
    length: (a, b) => ({ value: distance(vectorOf(a), vectorOf(b)), unit: "mm" }),
    angle: (a, corner, b) => spaceAngle(vectorOf(a), vectorOf(corner), vectorOf(b)),
    between: (a, b, c, d) => spaceLineAngle(vectorOf(a), vectorOf(b), vectorOf(c), vectorOf(d)),
  };
  // A mean over a part of the slices would look like the mean of all.
  if (store.slices < store.info.slices) return measures;
  return {
    ...measures,
    isHalf: store.isHalf,
    region: (shape: RegionShape, a, b) => read.region(store, plane, shape, vectorOf(a), vectorOf(b), drawn),
    profile: (a, b) => read.profile(store, vectorOf(a), vectorOf(b), drawn),
  };
}
