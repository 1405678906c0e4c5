import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { Series } from "@arcada/contract/study/study.schema";
import type { VolumeFiles } from "../ct/loading/load-volume.ts";

type SeriesVolume = NonNullable<Series["volume"]>;

/** The derived files of a series; null if it is not a volume, or nothing of it can be shown. */
export const readVolumeFiles = ({ volume }: Series): VolumeFiles | null =>
  volume && (volume.preview !== null || volume.groups.some((group) => group !== null))
    ? {
        info: readVolumeInfo(volume),
        arch: readArch(volume.arch),
        half: volume.half && { info: readVolumeInfo(volume.half.info), groups: volume.half.groups },
        preview: volume.preview && { url: volume.preview.url, info: readVolumeInfo(volume.preview.info) },
        groups: volume.groups,
        isGrowing: volume.isGrowing,
      }
    : null;

function readVolumeInfo(
  source: Omit<
    SeriesVolume,
    "preview" | "firstLook" | "archImages" | "arch" | "half" | "groups" | "groupSize" | "isGrowing"
  >,
): VolumeInfo {
  const { columns, rows, slices, min, max, window, valueOffset, valueScale, valueName } = source;
  const [a, b, c, d, e, f, g, h, i] = source.direction as VolumeInfo["direction"];
  return {
    columns,
    rows,
    slices,
    min,
    max,
    window,
    valueOffset,
    valueScale,
    valueName,
    spacing: toTriple(source.spacing),
    origin: toTriple(source.origin),
    direction: [a, b, c, d, e, f, g, h, i],
  };
}

const readArch = (source: SeriesVolume["arch"]): VolumeFiles["arch"] =>
  source && {
    upper: source.upper.map(toTriple),
    lower: source.lower.map(toTriple),
    up: toTriple(source.up),
    ...(source.edges && { edges: source.edges }),
  };

const toTriple = ([x = 0, y = 0, z = 0]: readonly number[]): [number, number, number] => [x, y, z];
