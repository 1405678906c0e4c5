import { memo, useMemo } from "react";
import type { ArchPath } from "@arcada/imaging/arch/path";
import { wallCuts, type WallSpot } from "@arcada/imaging/arch/wall-cut";
import { contoursOf, cutOf } from "@arcada/imaging/mesh/contour";
import type { SceneMesh } from "@arcada/imaging/gl/scene-mesh";
import { inverted, moved, turned, type Movement } from "@arcada/imaging/surface/movement";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { SectionPlane } from "@arcada/imaging/view/section-plane";
import { dot, type Vector } from "@arcada/imaging/view/vector";
import type { PaneProps } from "../layout/pane-props.ts";
import type { MarkSpace, PaneSpace } from "../use-plane-marks.ts";
import { AirwayBox } from "./airway-box.tsx";
import styles from "./render-pane.module.css";
import { useRendering, type RenderedMesh } from "./render-room.tsx";

/** Draws the intersection of the scene's surfaces with a plane: the airway as an area, a scan as a line. */
export function CutsOverlay({ space, controls, size }: PaneProps & { space: PaneSpace; size: Size }) {
  const { airway } = useRendering();
  return (
    <>
      <PlaneCuts space={space} depth={dot(controls.cross, space.plane.away)} />
      {airway.plan && <AirwayBox airway={airway} plan={airway.plan} space={space} size={size} />}
    </>
  );
}

/** The same in any plane, `depth` mm along its normal. */
export function PlaneCuts({ space, depth }: { space: MarkSpace; depth: number }) {
  const { meshes } = useRendering();
  return (
    <svg className={styles.layer} aria-hidden>
      {meshes
        .filter(({ cut }) => cut !== "none")
        .map((placed) => (
          <Cut key={placed.mesh.id} placed={placed} space={space} depth={depth} />
        ))}
    </svg>
  );
}

/**
 * Draws the intersection of a scan with the unrolled curved surface. `toPane` returns the position of a point of that
 * surface on the screen.
 */
export function WallCuts({ wall, toPane }: { wall: ArchPath; toPane: (spot: WallSpot) => Spot }) {
  const { meshes } = useRendering();
  return (
    <svg className={styles.layer} aria-hidden>
      {meshes
        .filter(({ cut }) => cut === "line")
        .map((placed) => (
          <WallCut key={placed.mesh.id} placed={placed} wall={wall} toPane={toPane} />
        ))}
    </svg>
  );
}

function WallCut({
  placed: { mesh, movement, colour },
  wall,
  toPane,
}: {
  placed: RenderedMesh;
  wall: ArchPath;
  toPane: (spot: WallSpot) => Spot;
}) {
  const pieces = useMemo(() => wallCuts(wall, mesh, movement), [wall, mesh, movement]);
  const shape = pieces.map(([from, to]) => `M${spotText(toPane(from))}L${spotText(toPane(to))}`).join("");
  return shape === "" ? null : <path d={shape} fill="none" stroke={shadeOf(colour)} strokeWidth={1.4} />;
}

const Cut = memo(function Cut({ placed, space, depth }: { placed: RenderedMesh; space: MarkSpace; depth: number }) {
  const { mesh, movement, cut, colour } = placed;
  const { away } = space.plane;
  const [x, y, z] = away;
  const pieces = useMemo(() => cutsAt(mesh, movement, [x, y, z], depth), [mesh, movement, x, y, z, depth]);
  const isFilled = cut === "filled";
  const lines = isFilled ? contoursOf(pieces).map(({ points }) => points) : pieces;
  const shape = lines.map((line) => `M${line.map((point) => spotText(space.toPane(point))).join("L")}`).join("");
  if (shape === "") return null;
  const shade = shadeOf(colour);
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

const shadeOf = (colour: RenderedMesh["colour"]): string =>
  `rgb(${colour.map((part) => Math.round(part * 255)).join(" ")})`;

const spotText = ([x, y]: Spot): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The segments in which a plane of the patient cuts a surface that has been moved into patient space. */
function cutsAt(mesh: SceneMesh, movement: Movement, normal: Vector, depth: number): [Vector, Vector][] {
  const back = inverted(movement);
  const own: SectionPlane = {
    normal: turned(back, normal),
    offset: depth - dot(normal, moved(movement, [0, 0, 0])),
  };
  const { positions: p, indices } = mesh;
  const [a, b, c] = own.normal;
  const isAbove = new Uint8Array(p.length / 3);
  for (let at = 0, from = 0; at < isAbove.length; at++, from += 3)
    isAbove[at] = a * (p[from] ?? 0) + b * (p[from + 1] ?? 0) + c * (p[from + 2] ?? 0) >= own.offset ? 1 : 0;
  const pieces: [Vector, Vector][] = [];
  for (let at = 0; at < indices.length; at += 3) {
    const [i = 0, j = 0, k = 0] = [indices[at], indices[at + 1], indices[at + 2]];
    if (isAbove[i] === isAbove[j] && isAbove[j] === isAbove[k]) continue;
    const piece = cutOf(p, [3 * i, 3 * j, 3 * k], own);
    if (piece) pieces.push([moved(movement, piece[0]), moved(movement, piece[1])]);
  }
  return pieces;
}
