import { times, type Vector } from "../../geometry/vector.ts";
import type { VolumeGeometry } from "../../volume/volume-geometry.ts";
import { extendBehindTeeth, pickControlPoints, createDisplayLine } from "./extend-behind-teeth.ts";
import { createSmoothLine } from "../smooth-line.ts";
import { extractHardTissue, type HardTissue } from "../../volume/hard-tissue.ts";
import { findOcclusion, type Occlusion } from "./find-occlusal-plane.ts";
import { traceToothLine } from "./trace-tooth-line.ts";
import { patientUp } from "../curved-surface.ts";
import { createTissueMap, type TiltedPlane } from "./tissue-map.ts";
import { jaws, type Jaw, type ArchGuess, type DetectedArches } from "./detected-arches.ts";

/**
 * Detects the dental arches of a volume; neither stands in for the other. The head must be upright within about 15° of
 * rotation and 10° of tilt. Gaps are bridged; metal counts like any tooth. A quarter of a CBCT's resolution is enough
 * and is what the method is made for.
 * @param values `[slice][row][column]`, on any scale
 * @returns null if no arch was found
 */
export function detectArches(geometry: VolumeGeometry, values: Int16Array): DetectedArches | null {
  const tissue = extractHardTissue(geometry, values);
  const occlusion = tissue && findOcclusion(tissue);
  if (!tissue || !occlusion) return null;
  const [upper, lower] = [detectArch(tissue, occlusion, "upper"), detectArch(tissue, occlusion, "lower")];
  if (!upper && !lower) return null;
  const up = getUpright(occlusion.tilt);
  const seen = { geometry, tissue, tilt: occlusion.tilt, up };
  return { upper, lower, up, ...extendBehindTeeth(seen, { upper, lower }) };
}

/**
 * A first guess of the lines for a panorama, which a person will check and move: found as `detectArches` finds them, cut
 * off where the field ends, and continued along the rami. A jaw that is not in the image gets the other one's line,
 * which is a good start and no finding.
 * @returns null where no arch was found
 */
export function guessArch(geometry: VolumeGeometry, values: Int16Array): ArchGuess | null {
  const found = detectArches(geometry, values);
  if (!found) return null;
  const [upper, lower] = jaws.map((jaw) => createDisplayLine(geometry, found, jaw));
  return { upper: upper ?? lower ?? [], lower: lower ?? upper ?? [], up: found.up, edges: found.edges };
}

// The plane is good to about 5°: a head that may as well be level keeps the patient's own upright.
const levelTolerance = Math.tan((6 * Math.PI) / 180);

const getUpright = ({ left, back }: TiltedPlane): Vector =>
  Math.hypot(left, back) < levelTolerance ? patientUp : times([-left, -back, 1], 1 / Math.hypot(left, back, 1));

/** Heights over the occlusal plane (mm) between which a jaw's teeth are searched: necks in the middle. */
export const toothLayers: Record<Jaw, readonly [number, number]> = { upper: [0, 14], lower: [-14, 0] };
const controlPointCount = 11;

function detectArch(tissue: HardTissue, { tilt, form }: Occlusion, jaw: Jaw): Vector[] | null {
  const [low, high] = toothLayers[jaw];
  const map = createTissueMap(tissue, tilt, [low, high], 1, 2.2);
  const line = traceToothLine(map, form);
  if (!line) return null;
  const middle = (low + high) / 2;
  const points = line.map(({ x, y }): Vector => {
    const foot = tilt.level + tilt.left * x + tilt.back * y;
    return [x - middle * tilt.left, y - middle * tilt.back, foot + middle];
  });
  return pickControlPoints(createSmoothLine(points, 0.5).points, controlPointCount);
}
