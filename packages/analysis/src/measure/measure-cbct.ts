import { createArchTarget } from "@arcada/contract/analysis/arch-target";
import type { Abstention } from "@arcada/contract/analysis/observation";
import { createDisplayLine } from "@arcada/imaging/arch/detection/extend-behind-teeth";
import type { PanoramaEdge } from "@arcada/imaging/arch/detection/panorama-truncation";
import { findArchCuts, type ArchCut } from "@arcada/imaging/arch/detection/arch-truncation";
import { detectArches } from "@arcada/imaging/arch/detection/detect-arches";
import { createCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { patientToVoxel } from "@arcada/imaging/volume/voxel-to-patient";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import type { EngineResult, EngineVolume, EngineRunContext } from "../engine.ts";
import { createLowerJawFrame, type CoarseFinding } from "../cbct/lower-jaw-frame.ts";
import { reduceVolume } from "../cbct/reduce-volume.ts";
import { suggestCanals } from "../cbct/suggest-canals.ts";
import { suggestJaws } from "../cbct/suggest-jaws.ts";
import { suggestTeeth } from "../cbct/suggest-teeth.ts";
import { renderPanorama } from "./cbct-panorama.ts";
import { createAbstention, createObservation, type MeasurementResult } from "./measurement-result.ts";
import { jaws, type DetectedArches, type Jaw } from "@arcada/imaging/arch/detection/detected-arches";

/**
 * Measures the curves of a volume's dental arches, and the panorama along them and the rami behind them, and suggests
 * nerve canals, teeth and the lower jaw. Grey values of a CBCT are no Hounsfield units, and are not reported as such. An
 * arch is measured only if the volume contains its teeth; each part that is cut is named.
 */
export function measureVolume(volume: EngineVolume, { signal, onProgress }: EngineRunContext): EngineResult {
  const coarse = detectVolumeArches(volume);
  if (!coarse) return abstainFromAll("no dental arch was found");
  onProgress(0.2);
  signal.throwIfAborted();
  const arches = measureArches(volume, coarse.found);
  onProgress(0.4);
  const canals = suggestCanals(volume, createLowerJawFrame(coarse), (share) => {
    onProgress(0.4 + share * 0.3);
    signal.throwIfAborted();
  });
  onProgress(0.7);
  signal.throwIfAborted();
  const teeth = suggestTeeth(volume, coarse);
  const bodies = suggestJaws(volume, coarse, (share) => {
    onProgress(0.75 + share / 4);
    signal.throwIfAborted();
  });
  return {
    ...arches,
    observations: [arches, canals, teeth, bodies].flatMap(({ observations }) => observations),
    abstentions: [arches, canals, teeth, bodies].flatMap(({ abstentions }) => abstentions),
  };
}

/** The curves of both arches, and the panorama along them. */
function measureArches(volume: EngineVolume, found: DetectedArches): EngineResult {
  const [upper, lower] = jaws.map((jaw) => measureArch(volume.geometry, found, jaw));
  const cut = [upper, lower].flatMap(({ abstentions }) => abstentions);
  const [upperOrLower, lowerOrUpper] = [upper.path ?? lower.path, lower.path ?? upper.path];
  // A jaw without its own line is shown along the other one's, and reported as cut or not found.
  const displayPathOf = (jaw: Jaw, path: CurvedSurface): CurvedSurface =>
    createCurvedSurface(createDisplayLine(volume.geometry, found, jaw) ?? [], found.up) ?? path;
  const [upperDisplayPath, lowerDisplayPath] = [
    upperOrLower && displayPathOf(upper.path ? "upper" : "lower", upperOrLower),
    lowerOrUpper && displayPathOf(lower.path ? "lower" : "upper", lowerOrUpper),
  ];
  const panorama =
    upperDisplayPath && lowerDisplayPath ? renderPanorama(volume, upperDisplayPath, lowerDisplayPath) : null;
  // The form of an arch is sought in both rows of teeth: where the field cuts one, the other's line came out up to 8 % short.
  const isCut = cut.some(({ reason }) => reason === "outsideField");
  const arches = isCut ? [] : [upper, lower].flatMap(({ observations }) => observations);
  const uncertain = jaws.filter((_, index) => isCut && [upper, lower][index].path).map(oppositeArchCut);
  const archAbstentions = [...cut, ...uncertain];
  if (!panorama)
    return { observations: arches, abstentions: [...archAbstentions, abstainFromPanorama(cut)], artefacts: [] };
  return {
    observations: [...arches, createObservation("CBCT_PANO", null)],
    abstentions: [
      ...archAbstentions,
      ...cut.map((abstention): Abstention => ({ ...abstention, code: "CBCT_PANO" })),
      ...found.edges.map(panoramaEdgeCut),
    ],
    artefacts: [{ code: "CBCT_PANO", ...panorama, spacing: null }],
  };
}

const oppositeArchCut = (jaw: Jaw): Abstention => ({
  ...createAbstention("CBCT_ARCH", "selfCheckFailed", "the field of view cuts the other arch"),
  target: createArchTarget({ jaw, cut: null }),
});

const panoramaEdgeCut = (edge: PanoramaEdge): Abstention => ({
  ...createAbstention("CBCT_PANO", "outsideField", "the field of view ends there or before"),
  target: createArchTarget({ jaw: "lower", cut: edge }),
});

const abstainFromAll = (detail: string): EngineResult => ({
  observations: [],
  abstentions: (["CBCT_ARCH", "CBCT_PANO", "CBCT_CANAL", "CBCT_TOOTH", "CBCT_JAW"] as const).map((code) =>
    createAbstention(code, "selfCheckFailed", detail),
  ),
  artefacts: [],
});

const abstainFromPanorama = (cutAbstentions: readonly Abstention[]): Abstention =>
  createAbstention(
    "CBCT_PANO",
    cutAbstentions.some(({ reason }) => reason === "outsideField") ? "outsideField" : "selfCheckFailed",
    "the arches lie outside the volume",
  );

/** The voxel size of the search, in mm: a quarter of a CBCT's resolution. */
const coarseMm = 1.2;

function detectVolumeArches(volume: EngineVolume): CoarseFinding | null {
  const coarse = reduceVolume(volume, coarseMm);
  const found = detectArches(coarse.geometry, coarse.values);
  return found && { ...coarse, found };
}

interface ArchMeasurement extends MeasurementResult {
  /** Null where the arch was not found or the volume does not hold it. */
  path: CurvedSurface | null;
}

/** The drawn curve as a line of columns and rows, seen from below or above; its value is the curve's length. No tooth is claimed at its ends. */
function measureArch(geometry: VolumeGeometry, found: DetectedArches, jaw: Jaw): ArchMeasurement {
  const line = found[jaw];
  const path = line && createCurvedSurface(line, found.up);
  if (!path) return archNotMeasured([abstainFromArch(jaw, null, "selfCheckFailed")]);
  const cuts = findArchCuts(geometry, path, jaw);
  if (cuts.length > 0) return archNotMeasured(cuts.map((cut) => abstainFromArch(jaw, cut, "outsideField")));
  const pointStride = Math.max(1, Math.round(1 / path.step));
  const points = path.points
    .filter((_, index) => index % pointStride === 0)
    .map((point): [number, number] => {
      const [column, row] = patientToVoxel(geometry, [
        point[0] + path.up[0] * path.level,
        point[1] + path.up[1] * path.level,
        point[2] + path.up[2] * path.level,
      ]);
      return [column + 0.5, row + 0.5];
    });
  const target = createArchTarget({ jaw, cut: null });
  const lineGeometry = { kind: "line" as const, points };
  return {
    path,
    observations: [createObservation("CBCT_ARCH", path.length, { target, unit: "mm", geometry: lineGeometry })],
    abstentions: [],
  };
}

const archNotMeasured = (abstentions: Abstention[]): ArchMeasurement => ({ path: null, observations: [], abstentions });

const abstainFromArch = (jaw: Jaw, cut: ArchCut | null, reason: Abstention["reason"]): Abstention => ({
  ...createAbstention("CBCT_ARCH", reason, cut ? `the field of view cuts its ${cut}` : "no line of its own was found"),
  target: createArchTarget({ jaw, cut }),
});
