import { memo, useMemo } from "react";
import type { CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import {
  intersectMesh as intersectCurvedSurface,
  type UnrolledPoint,
} from "@arcada/imaging/arch/mesh-on-curved-surface";
import { joinContours, cutTriangle } from "@arcada/imaging/mesh/contour";
import type { SceneMesh } from "@arcada/imaging/gl/scene-mesh";
import { invertTransform, transformPoint, rotate, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import type { SectionPlane } from "@arcada/imaging/view/section-plane";
import { dot, type Vector } from "@arcada/imaging/geometry/vector";
import type { ViewportProps } from "../layout/viewport-props.ts";
import type { ViewportSpace, PlaneSpace } from "../annotations/use-plane-annotations.ts";
import { AirwayBox } from "./airway/airway-box.tsx";
import styles from "./render-viewport.module.css";
import { useRendering } from "./rendering-context.tsx";
import type { RenderedMesh } from "./rendering-scene.ts";

/** Draws the intersection of the scene's surfaces with a plane: the airway as an area, a scan as a line. */
export function MeshCutOverlay({ space, controls, size }: ViewportProps & { space: PlaneSpace; size: Size }) {
  const { airway } = useRendering();
  return (
    <>
      <PlaneMeshCuts space={space} depth={dot(controls.crosshair, space.plane.away)} />
      {airway.plan && <AirwayBox airway={airway} plan={airway.plan} space={space} size={size} />}
    </>
  );
}

/** The same in any plane, `depth` mm along its normal. */
export function PlaneMeshCuts({ space, depth }: { space: ViewportSpace; depth: number }) {
  const { meshes } = useRendering();
  return (
    <svg className={styles.layer} aria-hidden>
      {meshes
        .filter(({ cut }) => cut !== "none")
        .map((placed) => (
          <MeshCut key={placed.mesh.id} placed={placed} space={space} depth={depth} />
        ))}
    </svg>
  );
}

/**
 * Draws the intersection of a scan with the unrolled curved surface. `toViewport` returns the position of a point of that
 * surface on the screen.
 */
export function PanoramaMeshCuts({
  curvedSurface,
  toViewport,
}: {
  curvedSurface: CurvedSurface;
  toViewport: (spot: UnrolledPoint) => Point2D;
}) {
  const { meshes } = useRendering();
  return (
    <svg className={styles.layer} aria-hidden>
      {meshes
        .filter(({ cut }) => cut === "line")
        .map((placed) => (
          <PanoramaMeshCut key={placed.mesh.id} placed={placed} curvedSurface={curvedSurface} toViewport={toViewport} />
        ))}
    </svg>
  );
}

function PanoramaMeshCut({
  placed: { mesh, rigidTransform, colour },
  curvedSurface,
  toViewport,
}: {
  placed: RenderedMesh;
  curvedSurface: CurvedSurface;
  toViewport: (spot: UnrolledPoint) => Point2D;
}) {
  const segments = useMemo(
    () => intersectCurvedSurface(curvedSurface, mesh, rigidTransform),
    [curvedSurface, mesh, rigidTransform],
  );
  const shape = segments
    .map(([from, to]) => `M${formatPoint(toViewport(from))}L${formatPoint(toViewport(to))}`)
    .join("");
  return shape === "" ? null : <path d={shape} fill="none" stroke={toCssColour(colour)} strokeWidth={1.4} />;
}

const MeshCut = memo(function MeshCut({
  placed,
  space,
  depth,
}: {
  placed: RenderedMesh;
  space: ViewportSpace;
  depth: number;
}) {
  const { mesh, rigidTransform, cut, colour } = placed;
  const { away } = space.plane;
  const [x, y, z] = away;
  const segments = useMemo(
    () => intersectMesh(mesh, rigidTransform, [x, y, z], depth),
    [mesh, rigidTransform, x, y, z, depth],
  );
  const isFilled = cut === "filled";
  const lines = isFilled ? joinContours(segments).map(({ points }) => points) : segments;
  const shape = lines.map((line) => `M${line.map((point) => formatPoint(space.toViewport(point))).join("L")}`).join("");
  if (shape === "") return null;
  const shade = toCssColour(colour);
  return (
    <path
      d={isFilled ? `${shape}Z` : shape}
      fillRule="evenodd"
      fill={isFilled ? shade : "none"}
      fillOpacity={0.35}
      stroke={shade}
      strokeWidth={1.4}
    />
  );
});

const toCssColour = (colour: RenderedMesh["colour"]): string =>
  `rgb(${colour.map((part) => Math.round(part * 255)).join(" ")})`;

const formatPoint = ([x, y]: Point2D): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The segments in which a plane of the patient cuts a surface that has been moved into patient space. */
function intersectMesh(
  mesh: SceneMesh,
  rigidTransform: RigidTransform,
  normal: Vector,
  depth: number,
): [Vector, Vector][] {
  const inverse = invertTransform(rigidTransform);
  const ownPlane: SectionPlane = {
    normal: rotate(inverse, normal),
    offset: depth - dot(normal, transformPoint(rigidTransform, [0, 0, 0])),
  };
  const { positions: p, indices } = mesh;
  const [a, b, c] = ownPlane.normal;
  const isAbove = new Uint8Array(p.length / 3);
  for (let at = 0, from = 0; at < isAbove.length; at++, from += 3)
    isAbove[at] = a * (p[from] ?? 0) + b * (p[from + 1] ?? 0) + c * (p[from + 2] ?? 0) >= ownPlane.offset ? 1 : 0;
  const segments: [Vector, Vector][] = [];
  for (let at = 0; at < indices.length; at += 3) {
    const [i = 0, j = 0, k = 0] = [indices[at], indices[at + 1], indices[at + 2]];
    if (isAbove[i] === isAbove[j] && isAbove[j] === isAbove[k]) continue;
    const segment = cutTriangle(p, [3 * i, 3 * j, 3 * k], ownPlane);
    if (segment)
      segments.push([transformPoint(rigidTransform, segment[0]), transformPoint(rigidTransform, segment[1])]);
  }
  return segments;
}
