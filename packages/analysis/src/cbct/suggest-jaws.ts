import { createArchTarget } from "@arcada/contract/analysis/arch-target";
import { solidRules, type Abstention, type SolidGeometry } from "@arcada/contract/analysis/observation";
import { jaws, type Jaw } from "@arcada/imaging/arch/detection/detected-arches";
import { cropToBody, encodeRuns } from "@arcada/imaging/jaws/jaw-body";
import { segmentJaws, type JawBody, type MissingJaw } from "@arcada/imaging/jaws/segment-jaws";
import { computeTissueLevels } from "@arcada/imaging/volume/hard-tissue";
import type { EngineVolume } from "../engine.ts";
import { createAbstention, createObservation, type MeasurementResult } from "../measure/measurement-result.ts";
import { createJawArch, type CoarseFinding } from "./lower-jaw-frame.ts";
import { reduceVolume } from "./reduce-volume.ts";
import { largestVoxel } from "./suggest-canals.ts";

/** The size of a voxel of a jaw's body, mm: about that of the thinnest compact bone that is still seen. */
const bodyVoxel = 0.8;

/**
 * Suggests the bone of the lower jaw as a coarse body, as far as the field of view shows it. Nobody has confirmed it: it
 * warns, and is no finding. The upper jaw is parted from it and then withheld: of the one real skull that measured the
 * method, a third of the upper jaw's bone was missing.
 * @param onStep called before each part of the work with the share that is done; throws to end the run
 */
export function suggestJaws(
  volume: EngineVolume,
  coarse: CoarseFinding,
  onStep: (share: number) => void,
): MeasurementResult {
  if (Math.max(...volume.geometry.spacing) > largestVoxel)
    return abstainFromBoth("quality", "the voxels are too large for the necks of teeth");
  const reduced = reduceVolume(volume, bodyVoxel);
  const levels = computeTissueLevels(reduced.values);
  if (!levels) return abstainFromBoth("quality", "bone does not differ from soft tissue");
  const bodies = segmentJaws(
    { info: reduced.geometry, data: reduced.values },
    { info: volume.geometry, data: volume.values },
    { arches: { upper: createJawArch(coarse, "upper"), lower: createJawArch(coarse, "lower") }, levels },
    onStep,
  );
  const results = [
    missing("upper", "notSupported", "the upper jaw of a real skull came out a third too small"),
    describeBody("lower", bodies.lower),
  ];
  return {
    observations: results.flatMap(({ observations }) => observations),
    abstentions: results.flatMap(({ abstentions }) => abstentions),
  };
}

function describeBody(jaw: Jaw, body: JawBody | MissingJaw): MeasurementResult {
  if (typeof body === "string") return missing(jaw, "selfCheckFailed", absences[body]);
  const geometry = toSolid(cropToBody(body));
  if (Math.max(...geometry.size) > solidRules.mostVoxels)
    return missing(jaw, "outOfRange", "the body has more voxels than any jaw");
  const target = createArchTarget({ jaw, cut: null });
  return { observations: [createObservation("CBCT_JAW", null, { target, geometry })], abstentions: [] };
}

const absences: Record<MissingJaw, string> = {
  crestUnseen: "the row of teeth was not found, or the bone under it is not seen",
  implausible: "the body is smaller or larger than a jaw",
  notSplit: "the body is joined to others by more than a contact",
};

function toSolid({ info, inside }: JawBody): SolidGeometry {
  const { columns, rows, slices, origin, spacing, direction } = info;
  return { kind: "solid", size: [columns, rows, slices], origin, spacing, direction, runs: encodeRuns(inside) };
}

const missing = (jaw: Jaw, reason: Abstention["reason"], detail: string): MeasurementResult => ({
  observations: [],
  abstentions: [{ ...createAbstention("CBCT_JAW", reason, detail), target: createArchTarget({ jaw, cut: null }) }],
});

const abstainFromBoth = (reason: Abstention["reason"], detail: string): MeasurementResult => ({
  observations: [],
  abstentions: jaws.flatMap((jaw) => missing(jaw, reason, detail).abstentions),
});
