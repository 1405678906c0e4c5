import { createArchTarget } from "@arcada/contract/analysis/arch-target";
import type { Abstention, TubeGeometry } from "@arcada/contract/analysis/observation";
import { jaws, type Jaw } from "@arcada/imaging/arch/detection/detected-arches";
import { createCurvedSurface } from "@arcada/imaging/arch/curved-surface";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { segmentTeeth, type SegmentedTooth } from "@arcada/imaging/teeth/segment-teeth";
import type { ToothRow } from "@arcada/imaging/teeth/tooth-row-samples";
import { computeTissueLevels } from "@arcada/imaging/volume/hard-tissue";
import { findVoxel } from "@arcada/imaging/volume/volume-geometry";
import type { EngineVolume } from "../engine.ts";
import { createAbstention, createObservation, type MeasurementResult } from "../measure/measurement-result.ts";
import { findOcclusalHeight, findSoftTissue, type CoarseFinding } from "./lower-jaw-frame.ts";
import { largestVoxel } from "./suggest-canals.ts";

/** A row with fewer teeth than this was not understood: single spans are as likely to be something else. */
const fewestTeeth = 3;

/** Suggests the teeth of both rows that stand apart from their neighbours, as cones; none is numbered. */
export function suggestTeeth(volume: EngineVolume, coarse: CoarseFinding): MeasurementResult {
  const results = jaws.map((jaw) => suggestRow(volume, coarse, jaw));
  return {
    observations: results.flatMap(({ observations }) => observations),
    abstentions: results.flatMap(({ abstentions }) => abstentions),
  };
}

function suggestRow(volume: EngineVolume, coarse: CoarseFinding, jaw: Jaw): MeasurementResult {
  if (Math.max(...volume.geometry.spacing) > largestVoxel)
    return missing(jaw, "quality", "the voxels are too large for the borders of teeth");
  const row = createToothRow(coarse, jaw);
  if (!row) return missing(jaw, "selfCheckFailed", "the row of teeth was not found");
  const { teeth } = segmentTeeth({ info: volume.geometry, data: volume.values }, row);
  const held = teeth.filter(({ neck, apex }) => [neck, apex].every((point) => findVoxel(volume.geometry, point)));
  if (held.length < fewestTeeth) return missing(jaw, "selfCheckFailed", "too few teeth with clear borders");
  const target = createArchTarget({ jaw, cut: null });
  return {
    observations: held.map((tooth) => createObservation("CBCT_TOOTH", null, { target, geometry: toTube(tooth) })),
    abstentions: [],
  };
}

function createToothRow({ found, values }: CoarseFinding, jaw: Jaw): ToothRow | null {
  const line = found[jaw];
  const surface = line && createCurvedSurface(line, found.up);
  const softTissue = findSoftTissue(values);
  const levels = computeTissueLevels(values);
  if (!surface || softTissue === null || !levels) return null;
  return { jaw, surface, occlusalHeight: findOcclusalHeight(found, jaw, line), softTissue, dentine: levels.dentine };
}

const missing = (jaw: Jaw, reason: Abstention["reason"], detail: string): MeasurementResult => ({
  observations: [],
  abstentions: [{ ...createAbstention("CBCT_TOOTH", reason, detail), target: createArchTarget({ jaw, cut: null }) }],
});

const toTube = ({ neck, apex, wide, thin }: SegmentedTooth): TubeGeometry => ({
  kind: "tube",
  points: [toTuple(neck), toTuple(apex)],
  radii: [round(wide), round(thin)],
  hidden: [],
  doubtful: [],
});

const toTuple = ([x, y, z]: Vector): [number, number, number] => [round(x), round(y), round(z)];
const round = (mm: number): number => Math.round(mm * 100) / 100;
