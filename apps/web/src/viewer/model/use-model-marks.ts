import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { useTexts } from "../../kernel/texts.ts";
import { wayAlong, type Contour } from "@arcada/imaging/mesh/contour";
import { atRest, inverted, moved } from "@arcada/imaging/surface/movement";
import { spaceAngle, spaceLineAngle, type Measured, type Spot } from "@arcada/imaging/view/measure";
import { toScreen } from "@arcada/imaging/view/model-camera";
import { cross, distance, dot, minus, plus, rotated, unit, vectorOf, type Vector } from "@arcada/imaging/view/vector";
import { colourOf, nextColour } from "../marks/mark-colour.ts";
import { kindOf, type DrawnTool, type Ruler } from "../marks/kind.ts";
import type { ShownMark } from "../marks/marks-layer.tsx";
import { measuredText } from "../marks/measured-text.ts";
import { draftId, useDrawing, type Drawing } from "../marks/use-drawing.ts";
import type { Marks } from "../marks/use-marks.ts";
import type { Pickable, Picked } from "./picking.ts";
import type { SurfaceTree } from "./surface-tree.ts";

export const modelMarks = ["length", "angle", "surface", "thickness"] as const satisfies readonly DrawnTool[];
export type ModelMark = (typeof modelMarks)[number];
export const isModelMark = (tool: string): tool is ModelMark => (modelMarks as readonly string[]).includes(tool);

export interface ModelDrawing extends Drawing<Vector> {
  shown: ShownMark[];
  /** Converts a point of the scene to the space of the model on which an annotation is, or is being, drawn. */
  within: (place: Picked, mark?: string) => { point: Vector; owner: string };
}

/**
 * Measurements between points of the surfaces of these models, in mm. An annotation's points are in its model's own
 * space.
 */
export function useModelMarks(
  marks: Marks,
  ids: readonly string[],
  scene: Omit<Pickable, "camera" | "size"> & Pick<Partial<Pickable>, "camera" | "size">,
): ModelDrawing {
  const t = useTexts("viewer");
  const drawing = useDrawing<Vector>(
    marks,
    ({ tool, instanceId }) => isModelMark(tool) && instanceId !== null && ids.includes(instanceId),
  );
  const wayOf = useWays();
  const { camera, size, poses, surfaces, section } = scene;
  const poseOf = (id: string | null) => poses.get(id ?? "") ?? atRest;
  const show = (
    { id, tool, instanceId: owner, settings }: Pick<Mark, "id" | "instanceId" | "settings"> & { tool: DrawnTool },
    points: readonly Vector[],
  ): ShownMark => {
    const toPane = (point: Vector): Spot =>
      camera && size ? toScreen(camera, size, moved(poseOf(owner), point)) : [0, 0];
    const surface = surfaces.get(owner ?? "");
    const way = tool === "surface" && surface ? wayOf(surface, points) : null;
    const onSurface: Ruler = { ...ruler, along: () => way && inMm(way.length) };
    const label = kindOf(tool).label(t, { points: points.map((point) => [...point]), text: null }, onSurface);
    const onSection =
      tool === "length" && section
        ? alongSection(
            section.contours,
            points.map((point) => moved(poseOf(owner), point)),
          )
        : null;
    return {
      id,
      tool,
      colour: id === draftId ? nextColour() : colourOf({ settings }),
      points: points.map(toPane),
      label:
        onSection === null
          ? label
          : `${label}\n${t("viewer.model.onSection", { length: measuredText(t, inMm(onSection)) })}`,
      isDraft: id === draftId,
      ...(way && { lines: [way.points.map(toPane)] }),
    };
  };
  const shown = drawing.own.map((mark) => show(mark, mark.points.map(vectorOf)));
  const { draft } = drawing;
  if (draft) shown.push(show({ id: draftId, tool: draft.tool, ...draft.place }, draft.points));
  return {
    ...drawing,
    shown,
    within: ({ id, point }, mark) => {
      const held = mark ? drawing.own.find((other) => other.id === mark)?.instanceId : draft?.place.instanceId;
      const owner = held ?? id;
      return { point: moved(inverted(poseOf(owner)), point), owner };
    },
  };
}

const ruler: Ruler = {
  length: (a, b) => inMm(distance(vectorOf(a), vectorOf(b))),
  angle: (a, corner, b) => spaceAngle(vectorOf(a), vectorOf(corner), vectorOf(b)),
  between: (a, b, c, d) => spaceLineAngle(vectorOf(a), vectorOf(b), vectorOf(c), vectorOf(d)),
};

const inMm = (value: number): Measured => ({ value, unit: "mm" });

type Way = { points: Vector[]; length: number } | null;

/** Paths along surfaces, each computed once: the scene is rendered more often than an annotation changes. */
function useWays(): (surface: SurfaceTree, points: readonly Vector[]) => Way {
  const [known] = useState(() => new WeakMap<SurfaceTree, Map<string, Way>>());
  return (surface, points) => {
    const [from, to] = points;
    if (!from || !to) return null;
    const ways = known.get(surface) ?? new Map<string, Way>();
    known.set(surface, ways);
    const key = points.join();
    const found = ways.has(key) ? (ways.get(key) ?? null) : wayBetween(surface, from, to);
    // Measurements that a drag passed on its way are not needed again.
    if (ways.size > 200) ways.clear();
    ways.set(key, found);
    return found;
  };
}

/**
 * The path in the plane that contains both ends and is perpendicular to the surface between them. If that plane has no
 * path, as between two teeth over the gap, the shortest path in inclined planes.
 */
function wayBetween(surface: SurfaceTree, from: Vector, to: Vector): Way {
  const across = unit(minus(to, from));
  const upright = unit(cross(across, plus(surface.normalAt(from), surface.normalAt(to))));
  if (dot(upright, upright) === 0) return null;
  const leaning = (angle: number): Way => {
    const normal = rotated(upright, across, (angle * Math.PI) / 180);
    return wayAlong(surface.section({ normal, offset: dot(normal, from) }), from, to);
  };
  const others = () => [30, 60, 90, 120, 150].map(leaning).filter((way) => way !== null);
  return leaning(0) ?? others().sort((a, b) => a.length - b.length)[0] ?? null;
}

/** The length along a section's line between two points on it; null if they are not on it. */
function alongSection(contours: ReadonlyMap<string, readonly Contour[]>, [from, to]: readonly Vector[]): number | null {
  if (!from || !to) return null;
  for (const lines of contours.values()) {
    const way = wayAlong(lines, from, to, 0.03);
    if (way) return way.length;
  }
  return null;
}
