import { guessArch, type ArchGuess, type Jaw } from "@arcada/imaging/arch/guess";
import { archPath, type ArchPath } from "@arcada/imaging/arch/path";
import { Coarsening } from "@arcada/imaging/volume/coarse";
import { patientToVoxel } from "@arcada/imaging/volume/space";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";
import type { Analysed, EngineVolume, EngineWork, Seen } from "../engine.ts";
import { unrolled } from "./cbct-panorama.ts";
import { abstained, seen } from "./measured.ts";

/** The dental arches of a volume, and the panorama along them. Grey values of a CBCT are no Hounsfield units, and are not said to be. */
export function measureVolume(volume: EngineVolume, { signal, onProgress }: EngineWork): Analysed {
  const guess = archesIn(volume);
  if (!guess)
    return {
      observations: [],
      abstentions: (["CBCT_ARCH", "CBCT_PANO"] as const).map((code) =>
        abstained(code, "selfCheckFailed", "no dental arch was found"),
      ),
      artefacts: [],
    };
  onProgress(0.4);
  signal.throwIfAborted();
  const paths = { upper: archPath(guess.upper, guess.up), lower: archPath(guess.lower, guess.up) };
  const arches = (["upper", "lower"] as const).flatMap((jaw) => archSeen(volume.geometry, paths[jaw], jaw));
  const { upper, lower } = paths;
  const picture = upper && lower ? unrolled(volume, upper, lower) : null;
  return {
    observations: picture ? [...arches, seen("CBCT_PANO", null)] : arches,
    abstentions: picture ? [] : [abstained("CBCT_PANO", "selfCheckFailed", "the arches lie outside the volume")],
    artefacts: picture ? [{ code: "CBCT_PANO", ...picture, spacing: null }] : [],
  };
}

/** Of a quarter of a CBCT's resolution, for which the search is made. */
const coarseMm = 1.2;

function archesIn({ geometry, values }: EngineVolume): ArchGuess | null {
  const factor = Math.max(1, Math.round(coarseMm / Math.max(...geometry.spacing)));
  if (factor === 1) return guessArch(geometry, values);
  const coarse = new Coarsening(geometry, factor);
  const size = geometry.columns * geometry.rows;
  for (let slice = 0; slice < geometry.slices; slice++) coarse.add(values.subarray(slice * size, (slice + 1) * size));
  const { slices, data } = coarse.finish();
  return guessArch(coarsened(geometry, factor, coarse, slices), data);
}

function coarsened(
  { origin, spacing, direction }: VolumeGeometry,
  factor: number,
  { columns, rows }: Coarsening,
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

const teethOf = { upper: [18, 28], lower: [48, 38] } as const satisfies Record<Jaw, readonly [number, number]>;

/** The arch as a line of columns and rows, seen from below or above; its value is its length. */
function archSeen(geometry: VolumeGeometry, path: ArchPath | null, jaw: Jaw): Seen[] {
  if (!path) return [];
  const [from, to] = teethOf[jaw];
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
    })
    .filter(([x, y]) => x >= 0 && y >= 0 && x <= geometry.columns && y <= geometry.rows);
  if (points.length < 2) return [];
  return [
    seen("CBCT_ARCH", path.length, {
      target: { kind: "region", from, to, name: null },
      unit: "mm",
      geometry: { kind: "line", points },
    }),
  ];
}
