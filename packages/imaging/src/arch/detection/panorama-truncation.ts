import { plus, times, type Vector } from "../../geometry/vector.ts";
import { sizeOf, type VolumeGeometry } from "../../volume/volume-geometry.ts";
import { patientToVoxel } from "../../volume/voxel-to-patient.ts";
import type { HardTissue } from "../../volume/hard-tissue.ts";
import type { RamusLine } from "./trace-ramus.ts";

/**
 * The parts that a panorama does not show because they are at the field's edge or beyond; left and right are the
 * patient's.
 */
export const panoramaEdges = ["rightRamus", "leftRamus", "rightCondyle", "leftCondyle", "chin"] as const;
export type PanoramaEdge = (typeof panoramaEdges)[number];

/** mm over the plane where the teeth meet: no adult's condyle ends below the first, few above the second. */
const [minRoom, safeRoom] = [25, 50];
/** mm to each side of the line's end and before it, where the condyle is. */
const condyleReach = 14;
/** mm from the field's edge: bone that comes so near is taken as cut. */
const edgeTolerance = 2;
/** mm³ */
const minBoneVolume = 20;

interface LineEnd {
  /** The end of the line behind the ramus; null without a line. */
  place: Vector | null;
  end: RamusLine["end"];
}

/**
 * Names the parts of the lower jaw that the field cuts. A condyle counts as cut if the field ends less than 25 mm over
 * the teeth's plane, or less than 50 mm over it with bone at the very edge above the ramus, which may as well be the
 * joint's socket.
 * @param front the middle of the lower arch, at the plane where the teeth meet; null where there is no lower arch
 */
export function findPanoramaEdges(
  geometry: VolumeGeometry,
  tissue: HardTissue,
  up: Vector,
  { right, left, front }: { right: LineEnd; left: LineEnd; front: Vector | null },
): PanoramaEdge[] {
  const edges = new Set<PanoramaEdge>();
  for (const [side, { place, end }] of [["right", right] as const, ["left", left] as const]) {
    if (end === "cut") edges.add(`${side}Ramus`);
    else if (end === "whole" && place && isCondyleCut(geometry, tissue, up, place)) edges.add(`${side}Condyle`);
  }
  if (front && touchesFieldEdge(tissue, front, times(up, -1), measureRoom(geometry, front, times(up, -1)), 12))
    edges.add("chin");
  return panoramaEdges.filter((edge) => edges.has(edge));
}

function isCondyleCut(geometry: VolumeGeometry, tissue: HardTissue, up: Vector, place: Vector): boolean {
  const room = measureRoom(geometry, place, up);
  if (room < minRoom) return true;
  return room < safeRoom && touchesFieldEdge(tissue, place, up, room, condyleReach);
}

/** Returns the mm from a point inside the field to its edge in one direction. */
function measureRoom(geometry: VolumeGeometry, place: Vector, direction: Vector): number {
  const [from, to] = [patientToVoxel(geometry, place), patientToVoxel(geometry, plus(place, direction))];
  const exits = sizeOf(geometry).map((size, axis) => {
    const speed = to[axis] - from[axis];
    if (Math.abs(speed) < 1e-9) return Infinity;
    return ((speed > 0 ? size - 0.5 : -0.5) - from[axis]) / speed;
  });
  return Math.min(...exits);
}

/** Returns true if hard tissue within `beside` mm of the line through a point comes within 2 mm of the field's edge. */
function touchesFieldEdge(
  { voxels, count, voxel }: HardTissue,
  place: Vector,
  direction: Vector,
  room: number,
  beside: number,
): boolean {
  const top = plus(place, times(direction, room));
  let found = 0;
  for (let at = 0; at < count * 4; at += 4) {
    if (voxels[at + 3] < 0.15) continue;
    const [x, y, z] = [voxels[at] - top[0], voxels[at + 1] - top[1], voxels[at + 2] - top[2]];
    const depth = -(x * direction[0] + y * direction[1] + z * direction[2]);
    if (depth > edgeTolerance) continue;
    if (x * x + y * y + z * z - depth * depth < beside * beside) found++;
  }
  return found * voxel > minBoneVolume;
}
