import { readArchPart, readCanalSide } from "@arcada/contract/analysis/arch-target";
import type { AnalysisRow } from "@arcada/contract/analysis/analysis.calls";
import type { Observation, SolidGeometry, TubeGeometry } from "@arcada/contract/analysis/observation";
import type { Annotation } from "@arcada/contract/study/annotation";
import { decodeRuns } from "@arcada/imaging/jaws/jaw-body";
import type { JawBody } from "@arcada/imaging/jaws/segment-jaws";
import { writeStretches } from "../../canal/hidden-stretches.ts";
import type { SuggestedStructures } from "../implant-plan.ts";

/** The newest finished measurement of a volume; null if there is none. */
export const findVolumeMeasurement = (analyses: readonly AnalysisRow[], seriesId: string): AnalysisRow | null =>
  analyses
    .filter(
      ({ state, engine, ...row }) =>
        state === "done" && engine.kind === "measurement" && row.seriesId === seriesId && row.instanceId === null,
    )
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0] ?? null;

/** Reads what a measurement suggests for a plan, as annotations that nobody has saved. */
export function readSuggestions(seen: readonly Observation[], owner: string): SuggestedStructures {
  const tubes = seen.flatMap(({ id, code, target, geometry }) =>
    geometry?.kind === "tube" ? [{ id, code, target, geometry }] : [],
  );
  return {
    canals: tubes.flatMap(({ id, code, target, geometry }) => {
      const side = readCanalSide(code, target);
      return side ? [buildCanal(id, owner, side, geometry)] : [];
    }),
    teeth: tubes.filter(({ code }) => code === "CBCT_TOOTH").map(({ id, geometry }) => buildTooth(id, owner, geometry)),
    jaws: seen.flatMap(({ id, code, target, geometry }) => {
      const part = readArchPart(code, target);
      const body = part && geometry?.kind === "solid" ? readBody(geometry) : null;
      return part && body ? [{ id, jaw: part.jaw, body }] : [];
    }),
  };
}

function readBody({ size: [columns, rows, slices], origin, spacing, direction, runs }: SolidGeometry): JawBody | null {
  const inside = decodeRuns(runs, columns * rows * slices);
  return inside && { info: { columns, rows, slices, origin, spacing, direction }, inside };
}

const buildCanal = (id: string, owner: string, side: "right" | "left", tube: TubeGeometry): Annotation => ({
  ...buildStructure(id, owner, tube),
  tool: "canal",
  settings: {
    side,
    isTraced: true,
    diameter: roundToTenth((2 * tube.radii.reduce((sum, radius) => sum + radius, 0)) / tube.radii.length),
    ...(tube.hidden.length > 0 && { hidden: writeStretches(tube.hidden) }),
    ...(tube.doubtful.length > 0 && { doubtful: writeStretches(tube.doubtful) }),
  },
});

/** A tooth's tube leads from its neck to its apex. */
const buildTooth = (id: string, owner: string, tube: TubeGeometry): Annotation => ({
  ...buildStructure(id, owner, tube),
  tool: "root",
  settings: {
    diameter: roundToTenth(2 * (tube.radii[0] ?? 0)),
    tip: roundToTenth(2 * (tube.radii[tube.radii.length - 1] ?? 0)),
  },
});

const buildStructure = (id: string, owner: string, { points }: TubeGeometry) => ({
  id,
  instanceId: owner,
  points: points.map((point) => [...point]),
  text: null,
  plane: "volume" as const,
});

const roundToTenth = (mm: number): number => Math.round(mm * 10) / 10;
