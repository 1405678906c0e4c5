import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import type { Series } from "@arcada/contract/study/study.calls";
import type { VolumeFiles } from "./load-volume.ts";

type Told = NonNullable<Series["volume"]>;

/** The derived files of a series; null if it is not a volume, or nothing of it can be shown. */
export const volumeFilesOf = ({ volume }: Series): VolumeFiles | null =>
  volume && (volume.preview !== null || volume.groups.some((group) => group !== null))
    ? {
        info: infoOf(volume),
        arch: archOf(volume.arch),
        half: volume.half && { info: infoOf(volume.half.info), groups: volume.half.groups },
        preview: volume.preview && { url: volume.preview.url, info: infoOf(volume.preview.info) },
        groups: volume.groups,
        isGrowing: volume.isGrowing,
      }
    : null;

function infoOf(
  told: Omit<Told, "preview" | "firstLook" | "arch" | "half" | "groups" | "groupSize" | "isGrowing">,
): VolumeInfo {
  const { columns, rows, slices, min, max, window, valueOffset, valueScale, valueName } = told;
  const [a, b, c, d, e, f, g, h, i] = told.direction as VolumeInfo["direction"];
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
    spacing: triple(told.spacing),
    origin: triple(told.origin),
    direction: [a, b, c, d, e, f, g, h, i],
  };
}

const archOf = (told: Told["arch"]): VolumeFiles["arch"] =>
  told && {
    upper: told.upper.map(triple),
    lower: told.lower.map(triple),
    up: triple(told.up),
    ...(told.edges && { edges: told.edges }),
  };

const triple = ([x = 0, y = 0, z = 0]: readonly number[]): [number, number, number] => [x, y, z];
