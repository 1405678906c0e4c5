import { canalSides, createCanalTarget, type CanalSide } from "@arcada/contract/analysis/arch-target";
import type { Abstention, TubeGeometry } from "@arcada/contract/analysis/observation";
import { CanalError } from "@arcada/imaging/canal/canal-error";
import { chooseControlPoints } from "@arcada/imaging/canal/control-points";
import { suggestCanal, type LowerJawFrame, type MissingCanal } from "@arcada/imaging/canal/suggest-canal";
import type { TracedPlace } from "@arcada/imaging/canal/traced-place";
import { distance, type Vector } from "@arcada/imaging/geometry/vector";
import { findVoxel } from "@arcada/imaging/volume/volume-geometry";
import type { EngineVolume } from "../engine.ts";
import { createAbstention, createObservation, type MeasurementResult } from "../measure/measurement-result.ts";

/** mm: in larger voxels a canal is two or three of them wide, and its wall is gone. */
export const largestVoxel = 0.7;

/**
 * Suggests the nerve canals of both sides. A person confirms or corrects them: until then they warn, and are no finding.
 * @param onSide called before each side; throws to end the run
 */
export function suggestCanals(
  volume: EngineVolume,
  frame: LowerJawFrame | null,
  onSide: (share: number) => void,
): MeasurementResult {
  const results = canalSides.map((side, index) => {
    onSide(index / canalSides.length);
    return suggestSide(volume, frame, side);
  });
  return {
    observations: results.flatMap(({ observations }) => observations),
    abstentions: results.flatMap(({ abstentions }) => abstentions),
  };
}

function suggestSide(volume: EngineVolume, frame: LowerJawFrame | null, side: CanalSide): MeasurementResult {
  if (Math.max(...volume.geometry.spacing) > largestVoxel)
    return missing(side, "quality", "the voxels are too large for a canal");
  if (!frame) return missing(side, "selfCheckFailed", "the lower jaw was not found");
  const places = traceSide(volume, frame, side);
  if (typeof places === "string") return missing(side, ...absences[places]);
  const geometry = toTube(places);
  const isInside = geometry.points.every((point) => findVoxel(volume.geometry, point) !== null);
  if (!isInside) return missing(side, ...absences.outsideField);
  return {
    observations: [createObservation("CBCT_CANAL", null, { target: createCanalTarget(side), geometry })],
    abstentions: [],
  };
}

const absences: Record<MissingCanal, [Abstention["reason"], string]> = {
  outsideField: ["outsideField", "the field of view cuts the jaw where its canal runs"],
  uncertain: ["selfCheckFailed", "no path looks enough like a canal, or two do"],
};

const missing = (side: CanalSide, reason: Abstention["reason"], detail: string): MeasurementResult => ({
  observations: [],
  abstentions: [{ ...createAbstention("CBCT_CANAL", reason, detail), target: createCanalTarget(side) }],
});

function traceSide(
  { geometry, values }: EngineVolume,
  frame: LowerJawFrame,
  side: CanalSide,
): TracedPlace[] | MissingCanal {
  try {
    return suggestCanal({ info: geometry, data: values }, frame, side);
  } catch (error) {
    // A jaw wider than any is no place to search in.
    if (error instanceof CanalError) return "uncertain";
    throw error;
  }
}

function toTube(places: readonly TracedPlace[]): TubeGeometry {
  const { points, hidden, doubtful } = chooseControlPoints(places);
  const toTuple = ([x, y, z]: Vector): [number, number, number] => [round(x), round(y), round(z)];
  return {
    kind: "tube",
    points: points.map(toTuple),
    radii: points.map((point) => round(findNearest(places, point).radius)),
    hidden,
    doubtful,
  };
}

const round = (mm: number): number => Math.round(mm * 100) / 100;

const findNearest = (places: readonly TracedPlace[], point: Vector): TracedPlace =>
  places.reduce((best, place) => (distance(place.place, point) < distance(best.place, point) ? place : best));
