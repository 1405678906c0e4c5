import { useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { LineProfile, RegionShape } from "@arcada/imaging/view/grey-value-statistics";
import {
  measureSpatialAngle,
  measureSpatialLineAngle,
  type Point2D,
} from "@arcada/imaging/view/measure-lengths-angles";
import type { Plane, PlaneName } from "@arcada/imaging/view/plane-view";
import { distance, dot, toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { DrawableAnnotation, Ruler } from "../../annotations/annotation-kind-types.ts";
import { annotationColourOf, getNextColour } from "../../annotations/annotation-colour.ts";
import type { ScreenAnnotation } from "../../annotations/layer/annotation-layer.tsx";
import { useAnnotationLabel } from "../../annotations/labels/use-annotation-label.ts";
import { draftId, useDrawing, type DrawnAnnotation, type Drawing } from "../../annotations/drawing/use-drawing.ts";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import { isPlanAnnotation } from "../arch/implant-plan/implant-plan.ts";
import type { Arch } from "../arch/use-arch.ts";
import { readAnnotationPlane, buildRotationSettings } from "./annotation-plane.ts";
import { createRegionReader, type RegionReader } from "./region-and-profile-reader.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import { annotationKindOf } from "../../annotations/annotation-kind-registry.ts";

/** The projection of patient space in one viewport; a curved surface along the arch has no plane. */
export interface ViewportSpace {
  name: NonNullable<Annotation["plane"]>;
  plane: Plane;
  toViewport: (point: Vector) => Point2D;
  toPatient: (at: Point2D) => Vector;
  /** True if a point is in the slice or slab that is shown. */
  isIn: (point: Vector) => boolean;
}

export interface PlaneSpace extends ViewportSpace {
  name: PlaneName;
}

export interface PlaneDrawing extends Drawing<Vector> {
  listVisible: (space: ViewportSpace) => ScreenAnnotation[];
  labels: readonly { annotation: DrawnAnnotation; label: string }[];
  /** The grey values along a profile; null for other annotations and while slices are missing. */
  getProfile: (annotation: DrawnAnnotation) => LineProfile | null;
  /** The id of the viewport in which the pointer or the keys were used last; it is kept while an input is open. */
  activeViewport: string | null;
  setActiveViewport: (viewport: string) => void;
  /** Returns the owner of a new annotation; the rotation of a rotated plane is stored with it. */
  createPlacement: (
    plane: NonNullable<Annotation["plane"]>,
    rotated?: Plane,
  ) => Pick<Annotation, "instanceId" | "plane" | "settings">;
}

/**
 * The annotations of one volume in all its planes, in patient mm. `owner` is the instance to which the volume's
 * annotations belong.
 */
export function usePlaneAnnotations(
  annotations: AnnotationStore,
  owner: string | null,
  store: VolumeStore,
  arch: Arch,
): PlaneDrawing {
  const formatLabel = useAnnotationLabel();
  const drawing = useDrawing<Vector>(
    { ...annotations, put: (annotation) => putCompleted(annotations, arch, annotation) },
    (annotation) => annotation.instanceId === owner && annotation.plane !== null && !isPlanAnnotation(annotation),
  );
  const [reader] = useState(createRegionReader);
  const [activeViewport, setActiveViewport] = useState<string | null>(null);
  const { draft } = drawing;
  const labelAnnotation = (
    tool: DrawnAnnotation["tool"],
    drawn: DrawableAnnotation & Pick<Annotation, "plane">,
    plane: Plane,
  ): string => formatLabel(tool, drawn, { ...createVolumeRuler(store, plane, reader, drawn), ...arch.getRuler(drawn) });
  const labels = drawing.items.map((annotation) => ({
    annotation,
    label: labelAnnotation(annotation.tool, annotation, readAnnotationPlane(annotation)),
  }));
  return {
    ...drawing,
    ...withSpatialTools(drawing, arch),
    labels,
    getProfile: (annotation) => {
      const [a, b] = annotation.points.map(toVector);
      const isKnown = annotation.tool === "profile" && store.slices === store.info.slices;
      return isKnown && a && b ? reader.profile(store, a, b, annotation) : null;
    },
    activeViewport,
    setActiveViewport: (viewport) => drawing.edited || setActiveViewport(viewport),
    createPlacement: (plane, rotated) => ({ instanceId: owner, plane, ...buildRotationSettings(plane, rotated) }),
    listVisible: (space) => {
      const shown = labels
        .filter(({ annotation }) => isVisibleIn(annotation, space))
        .map(({ annotation, label }): ScreenAnnotation => ({
          id: annotation.id,
          label,
          tool: annotation.tool,
          colour: annotationColourOf(annotation),
          points: annotation.points.map((point) => space.toViewport(toVector(point))),
        }));
      if (!draft || (draft.owner.plane !== space.name && draft.owner.plane !== "volume")) return shown;
      const drawn = { points: draft.points.map((point) => [...point]), text: null, plane: draft.owner.plane };
      const isPlan = isPlanAnnotation(draft);
      // The other viewports show the plan through the plane; a line from one point in front to one behind says nothing.
      if (isPlan && space.name !== "panorama" && !draft.points.some(space.isIn)) return shown;
      const label = isPlan ? "" : labelAnnotation(draft.tool, drawn, space.plane);
      return [
        ...shown,
        {
          id: draftId,
          tool: draft.tool,
          points: draft.points.map(space.toViewport),
          label,
          colour: getNextColour(),
          isDraft: true,
        },
      ];
    },
  };
}

/** Saves a drawn annotation; the path of a new nerve canal is then looked for in the volume. */
function putCompleted(
  annotations: AnnotationStore,
  { completeAnnotation, canalTracing }: Arch,
  drawn: Parameters<AnnotationStore["put"]>[0],
): string {
  const annotation = completeAnnotation(drawn);
  const id = annotations.put(annotation);
  const isPlaced = drawn.settings?.["isPlaceholder"] !== true;
  if (annotation.tool === "canal" && drawn.id === undefined && isPlaced) canalTracing.trace({ ...annotation, id });
  return id;
}

/**
 * Planned objects are drawn through all viewports. A press with the arch tool adds a point to the existing arch, and one
 * with the canal tool to a canal that was asked for.
 */
const withSpatialTools = (drawing: Drawing<Vector>, arch: Arch): Pick<Drawing<Vector>, "press" | "move" | "add"> => ({
  press: (tool, point, at, place) => {
    if (tool === "arch" && hasArch(arch)) return place.plane === "axial" ? arch.addPoint(point) : undefined;
    if (tool === "canal" && arch.canalTracing.asked !== null) return arch.canalTracing.answer(point);
    drawing.press(tool, point, at, annotationKindOf(tool).isSpatial ? { ...place, plane: "volume" } : place);
  },
  move: (point, plane) => drawing.move(point, drawing.draft?.owner.plane === "volume" ? "volume" : plane),
  add: (tool, points, place) => {
    if (tool === "arch" && hasArch(arch)) return;
    // Points set without a pointer wait in the middle until they are moved: there is no canal to look for yet.
    drawing.add(tool, points, tool === "canal" ? { ...place, settings: { isPlaceholder: true } } : place);
  },
});

const hasArch = ({ path, isNewArch: isAnew }: Arch): boolean => path !== null && !isAnew;

/**
 * Lines are shown wherever they lie in the plane. A region is flat: it is shown only if the plane has the orientation
 * in which it was drawn.
 */
function isVisibleIn(annotation: DrawnAnnotation, { name, plane, isIn }: ViewportSpace): boolean {
  // A stroke on the unrolled curved surface is a curve in the patient, and a straight line of the patient is none on
  // that surface.
  if ((annotation.plane === "panorama") !== (name === "panorama")) return false;
  if (!annotation.points.map(toVector).every(isIn)) return false;
  if (!isRegion(annotation.tool)) return true;
  const own = readAnnotationPlane(annotation);
  return dot(own.right, plane.right) > 0.9999 && dot(own.down, plane.down) > 0.9999;
}

const isRegion = (tool: DrawnAnnotation["tool"]): boolean => tool === "ellipse" || tool === "rectangle";

/** Measures between points of patient space, in mm; grey values from the slices loaded without loss. */
function createVolumeRuler(store: VolumeStore, plane: Plane, reader: RegionReader, drawn: DrawableAnnotation): Ruler {
  const measures: Ruler = {
    length: (a, b) => ({ value: distance(toVector(a), toVector(b)), unit: "mm" }),
    angle: (a, corner, b) => measureSpatialAngle(toVector(a), toVector(corner), toVector(b)),
    lineAngle: (a, b, c, d) => measureSpatialLineAngle(toVector(a), toVector(b), toVector(c), toVector(d)),
  };
  // A mean over a part of the slices would look like the mean of all.
  if (store.slices < store.info.slices) return measures;
  return {
    ...measures,
    isHalfResolution: store.isHalf,
    region: (shape: RegionShape, a, b) => reader.region(store, plane, shape, toVector(a), toVector(b), drawn),
    profile: (a, b) => reader.profile(store, toVector(a), toVector(b), drawn),
  };
}
