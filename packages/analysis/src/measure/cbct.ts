import { archTarget } from "@arcada/contract/analysis/arch-target";
import type { Abstention } from "@arcada/contract/analysis/observation";
import { createDisplayLine } from "@arcada/imaging/arch/detection/behind-teeth";
import type { PanoramaEdge } from "@arcada/imaging/arch/detection/panorama-edges";
import { findArchCuts, type ArchCut } from "@arcada/imaging/arch/detection/arch-cuts";
import { detectArches, jaws, type DetectedArches, type Jaw } from "@arcada/imaging/arch/detection/detect-arches";
import { createCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { Downsampler } from "@arcada/imaging/volume/downsampler";
import { patientToVoxel } from "@arcada/imaging/volume/patient-space";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import type { Analysed, EngineVolume, EngineWork } from "../engine.ts";
import { unrolled } from "./cbct-panorama.ts";
import { abstained, seen, type Measured } from "./measured.ts";

/**
 * Measures the curves of a volume's dental arches, and the panorama along them and the rami behind them. Grey values of
 * a CBCT are no Hounsfield units, and are not reported as such. An arch is measured only if the volume contains its
 * teeth; each part that is cut is named.
 */
export function measureVolume(volume: EngineVolume, { signal, onProgress }: EngineWork): Analysed {
  const found = archesIn(volume);
  if (!found) return nothing("no dental arch was found");
  onProgress(0.4);
  signal.throwIfAborted();
  const [upper, lower] = jaws.map((jaw) => archSeen(volume.geometry, found, jaw));
  const cut = [upper, lower].flatMap(({ abstentions }) => abstentions);
  const [over, under] = [upper.path ?? lower.path, lower.path ?? upper.path];
  // A jaw without its own line is shown along the other one's, and reported as cut or not found.
  const lineOf = (jaw: Jaw, path: CurvedSurface): CurvedSurface =>
    createCurvedSurface(createDisplayLine(volume.geometry, found, jaw) ?? [], found.up) ?? path;
  const [overLine, underLine] = [
    over && lineOf(upper.path ? "upper" : "lower", over),
    under && lineOf(lower.path ? "lower" : "upper", under),
  ];
  const picture = overLine && underLine ? unrolled(volume, overLine, underLine) : null;
  // The form of an arch is sought in both rows of teeth: where the field cuts one, the other's line came out up to 8 % short.
  const isCut = cut.some(({ reason }) => reason === "outsideField");
  const arches = isCut ? [] : [upper, lower].flatMap(({ observations }) => observations);
  const unsure = jaws.filter((_, at) => isCut && [upper, lower][at].path).map(besideCut);
  const told = [...cut, ...unsure];
  if (!picture) return { observations: arches, abstentions: [...told, panoramaAbstained(cut)], artefacts: [] };
  return {
    observations: [...arches, seen("CBCT_PANO", null)],
    abstentions: [
      ...told,
      ...cut.map((one): Abstention => ({ ...one, code: "CBCT_PANO" })),
      ...found.edges.map(edgeCut),
    ],
    artefacts: [{ code: "CBCT_PANO", ...picture, spacing: null }],
  };
}

const besideCut = (jaw: Jaw): Abstention => ({
  ...abstained("CBCT_ARCH", "selfCheckFailed", "the field of view cuts the other arch"),
  target: archTarget({ jaw, cut: null }),
});

const edgeCut = (edge: PanoramaEdge): Abstention => ({
  ...abstained("CBCT_PANO", "outsideField", "the field of view ends there or before"),
  target: archTarget({ jaw: "lower", cut: edge }),
});

const nothing = (detail: string): Analysed => ({
  observations: [],
  abstentions: (["CBCT_ARCH", "CBCT_PANO"] as const).map((code) => abstained(code, "selfCheckFailed", detail)),
  artefacts: [],
});

const panoramaAbstained = (told: readonly Abstention[]): Abstention =>
  abstained(
    "CBCT_PANO",
    told.some(({ reason }) => reason === "outsideField") ? "outsideField" : "selfCheckFailed",
    "the arches lie outside the volume",
  );

/** The voxel size of the search, in mm: a quarter of a CBCT's resolution. */
const coarseMm = 1.2;

function archesIn({ geometry, values }: EngineVolume): DetectedArches | null {
  const factor = Math.max(1, Math.round(coarseMm / Math.max(...geometry.spacing)));
  if (factor === 1) return detectArches(geometry, values);
  const coarse = new Downsampler(geometry, factor);
  const size = geometry.columns * geometry.rows;
  for (let slice = 0; slice < geometry.slices; slice++) coarse.add(values.subarray(slice * size, (slice + 1) * size));
  const { slices, data } = coarse.finish();
  return detectArches(coarsened(geometry, factor, coarse, slices), data);
}

function coarsened(
  { origin, spacing, direction }: VolumeGeometry,
  factor: number,
  { columns, rows }: Downsampler,
  slices: number,
): VolumeGeometry {
  const shift = (factor - 1) / 2;
  const moved = origin.map(
    (value, axis) =>
      value + shift * [0, 1, 2].reduce((sum, along) => sum + spacing[along] * direction[3 * along + axis], 0),
  );
  return {
    columns,
    rows,
    slices,
    direction,
    origin: [moved[0], moved[1], moved[2]],
    spacing: [spacing[0] * factor, spacing[1] * factor, spacing[2] * factor],
  };
}

interface ArchMeasured extends Measured {
  /** Null where the arch was not found or the volume does not hold it. */
  path: CurvedSurface | null;
}

/** The drawn curve as a line of columns and rows, seen from below or above; its value is the curve's length. No tooth is claimed at its ends. */
function archSeen(geometry: VolumeGeometry, found: DetectedArches, jaw: Jaw): ArchMeasured {
  const line = found[jaw];
  const path = line && createCurvedSurface(line, found.up);
  if (!path) return notMeasured([notAnswered(jaw, null, "selfCheckFailed")]);
  const cuts = findArchCuts(geometry, path, jaw);
  if (cuts.length > 0) return notMeasured(cuts.map((cut) => notAnswered(jaw, cut, "outsideField")));
  const every = Math.max(1, Math.round(1 / path.step));
  const points = path.points
    .filter((_, at) => at % every === 0)
    .map((point): [number, number] => {
      const [column, row] = patientToVoxel(geometry, [
        point[0] + path.up[0] * path.level,
        point[1] + path.up[1] * path.level,
        point[2] + path.up[2] * path.level,
      ]);
      return [column + 0.5, row + 0.5];
    });
  const target = archTarget({ jaw, cut: null });
  const geometryOf = { kind: "line" as const, points };
  return {
    path,
    observations: [seen("CBCT_ARCH", path.length, { target, unit: "mm", geometry: geometryOf })],
    abstentions: [],
  };
}

const notMeasured = (abstentions: Abstention[]): ArchMeasured => ({ path: null, observations: [], abstentions });

const notAnswered = (jaw: Jaw, cut: ArchCut | null, reason: Abstention["reason"]): Abstention => ({
  ...abstained("CBCT_ARCH", reason, cut ? `the field of view cuts its ${cut}` : "no line of its own was found"),
  target: archTarget({ jaw, cut }),
});
