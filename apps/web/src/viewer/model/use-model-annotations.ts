import { useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { useTexts } from "../../i18n/texts.ts";
import { findContourPath, type Contour } from "@arcada/imaging/mesh/contour";
import { identityTransform, invertTransform, transformPoint } from "@arcada/imaging/geometry/rigid-transform";
import {
  measureSpatialAngle,
  measureSpatialLineAngle,
  type Measurement,
  type Point2D,
} from "@arcada/imaging/view/measure-lengths-angles";
import { projectToScreen } from "@arcada/imaging/view/model-camera";
import {
  cross,
  distance,
  dot,
  minus,
  plus,
  rotateVector,
  normalize,
  toVector,
  type Vector,
} from "@arcada/imaging/geometry/vector";
import { annotationColourOf, getNextColour } from "../annotations/annotation-colour.ts";
import type { Ruler } from "../annotations/annotation-kind-types.ts";
import type { ScreenAnnotation } from "../annotations/layer/annotation-layer.tsx";
import { formatMeasurement } from "../annotations/labels/format-measurement.ts";
import { draftId, useDrawing, type Drawing } from "../annotations/drawing/use-drawing.ts";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import type { PickableScene, PickedPoint } from "./pick-point.ts";
import type { SurfaceTree } from "./mesh/surface-tree.ts";
import { annotationKindOf, type DrawingTool } from "../annotations/annotation-kind-registry.ts";

export const modelAnnotationTools = [
  "length",
  "angle",
  "surface",
  "thickness",
] as const satisfies readonly DrawingTool[];
export type ModelAnnotationTool = (typeof modelAnnotationTools)[number];
export const isModelAnnotationTool = (tool: string): tool is ModelAnnotationTool =>
  (modelAnnotationTools as readonly string[]).includes(tool);

export interface ModelDrawing extends Drawing<Vector> {
  shown: ScreenAnnotation[];
  /** Converts a point of the scene to the space of the model on which an annotation is, or is being, drawn. */
  toModelSpace: (place: PickedPoint, annotation?: string) => { point: Vector; owner: string };
}

/**
 * Measurements between points of the surfaces of these models, in mm. An annotation's points are in its model's own
 * space.
 */
export function useModelAnnotations(
  annotations: AnnotationStore,
  ids: readonly string[],
  scene: Omit<PickableScene, "camera" | "size" | "withoutTree"> & Pick<Partial<PickableScene>, "camera" | "size">,
): ModelDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<Vector>(
    annotations,
    ({ tool, instanceId }) => isModelAnnotationTool(tool) && instanceId !== null && ids.includes(instanceId),
  );
  const findPath = useSurfacePaths();
  const { camera, size, poses, surfaces, section } = scene;
  const getPose = (id: string | null) => poses.get(id ?? "") ?? identityTransform;
  const toShownAnnotation = (
    {
      id,
      tool,
      instanceId: owner,
      settings,
    }: Pick<Annotation, "id" | "instanceId" | "settings"> & { tool: DrawingTool },
    points: readonly Vector[],
  ): ScreenAnnotation => {
    const toViewport = (point: Vector): Point2D =>
      camera && size ? projectToScreen(camera, size, transformPoint(getPose(owner), point)) : [0, 0];
    const surface = surfaces.get(owner ?? "");
    const path = tool === "surface" && surface ? findPath(surface, points) : null;
    const onSurface: Ruler = { ...ruler, surfaceLength: () => path && toMm(path.length) };
    const label = annotationKindOf(tool).label(t, { points: points.map((point) => [...point]), text: null }, onSurface);
    const onSection =
      tool === "length" && section
        ? measureAlongSection(
            section.contours,
            points.map((point) => transformPoint(getPose(owner), point)),
          )
        : null;
    return {
      id,
      tool,
      colour: id === draftId ? getNextColour() : annotationColourOf({ settings }),
      points: points.map(toViewport),
      label:
        onSection === null
          ? label
          : `${label}\n${t("viewer.model.onSection", { length: formatMeasurement(t, toMm(onSection)) })}`,
      isDraft: id === draftId,
      ...(path && { lines: [path.points.map(toViewport)] }),
    };
  };
  const shown = drawing.items.map((annotation) => toShownAnnotation(annotation, annotation.points.map(toVector)));
  const { draft } = drawing;
  if (draft) shown.push(toShownAnnotation({ id: draftId, tool: draft.tool, ...draft.owner }, draft.points));
  return {
    ...drawing,
    shown,
    toModelSpace: ({ id, point }, annotation) => {
      const knownOwner = annotation
        ? drawing.items.find((other) => other.id === annotation)?.instanceId
        : draft?.owner.instanceId;
      const owner = knownOwner ?? id;
      return { point: transformPoint(invertTransform(getPose(owner)), point), owner };
    },
  };
}

const ruler: Ruler = {
  length: (a, b) => toMm(distance(toVector(a), toVector(b))),
  angle: (a, corner, b) => measureSpatialAngle(toVector(a), toVector(corner), toVector(b)),
  lineAngle: (a, b, c, d) => measureSpatialLineAngle(toVector(a), toVector(b), toVector(c), toVector(d)),
};

const toMm = (value: number): Measurement => ({ value, unit: "mm" });

type SurfacePath = { points: Vector[]; length: number } | null;

/** Paths along surfaces, each computed once: the scene is rendered more often than an annotation changes. */
function useSurfacePaths(): (surface: SurfaceTree, points: readonly Vector[]) => SurfacePath {
  const [known] = useState(() => new WeakMap<SurfaceTree, Map<string, SurfacePath>>());
  return (surface, points) => {
    const [from, to] = points;
    if (!from || !to) return null;
    const paths = known.get(surface) ?? new Map<string, SurfacePath>();
    known.set(surface, paths);
    const key = points.join();
    const found = paths.has(key) ? (paths.get(key) ?? null) : findPathBetween(surface, from, to);
    // Measurements that a drag passed on its way are not needed again.
    if (paths.size > 200) paths.clear();
    paths.set(key, found);
    return found;
  };
}

/**
 * The path in the plane that contains both ends and is perpendicular to the surface between them. If that plane has no
 * path, as between two teeth over the gap, the shortest path in inclined planes.
 */
function findPathBetween(surface: SurfaceTree, from: Vector, to: Vector): SurfacePath {
  const across = normalize(minus(to, from));
  const upright = normalize(cross(across, plus(surface.normalAt(from), surface.normalAt(to))));
  if (dot(upright, upright) === 0) return null;
  const pathAtAngle = (angle: number): SurfacePath => {
    const normal = rotateVector(upright, across, (angle * Math.PI) / 180);
    return findContourPath(surface.intersectPlane({ normal, offset: dot(normal, from) }), from, to);
  };
  const others = () => [30, 60, 90, 120, 150].map(pathAtAngle).filter((path) => path !== null);
  return pathAtAngle(0) ?? others().sort((a, b) => a.length - b.length)[0] ?? null;
}

/** The length along a section's line between two points on it; null if they are not on it. */
function measureAlongSection(
  contours: ReadonlyMap<string, readonly Contour[]>,
  [from, to]: readonly Vector[],
): number | null {
  if (!from || !to) return null;
  for (const lines of contours.values()) {
    const path = findContourPath(lines, from, to, 0.03);
    if (path) return path.length;
  }
  return null;
}
