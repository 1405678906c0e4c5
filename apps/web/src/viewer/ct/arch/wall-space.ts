import { patientToWall, wallToPatient, type ArchPath } from "@arcada/imaging/arch/path";
import type { CurveShown } from "@arcada/imaging/gl/curve-view";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import { planes } from "@arcada/imaging/view/plane";
import { patientToTexture } from "@arcada/imaging/view/texture-place";
import { dot } from "@arcada/imaging/view/vector";
import { cornersOf, type VolumeGeometry } from "@arcada/imaging/view/volume-geometry";
import { coarser } from "../texture-size.ts";
import type { MarkSpace } from "../use-plane-marks.ts";
import type { VolumeStore } from "../volume-store.ts";
import type { ArchView } from "./arch-look.ts";
import type { Arch } from "./use-arch.ts";

/**
 * mm above and below the arch that a panorama shows at first, as far as the volume reaches: from the condyles to the
 * chin.
 */
const [over, under] = [48, 34];
const ruler = 26;

/** The view that shows the whole length of the curved surface, and the jaws. */
export function fittedWall(wall: ArchPath, volume: VolumeGeometry, pane: Size): ArchView {
  const heights = cornersOf(volume).map((corner) => dot(corner, wall.up));
  const top = Math.min(Math.max(...heights), wall.level + over);
  const bottom = Math.max(Math.min(...heights), wall.level - under);
  const scale = Math.min(pane.width / wall.length, Math.max(40, pane.height - ruler) / (top - bottom));
  return { scale, middle: [wall.length / 2, (top + bottom) / 2] };
}

/** The unrolled curved surface on the screen: the patient's right on the left. */
export function wallSpace(wall: ArchPath, { middle, scale }: ArchView, pane: Size, reach: number): MarkSpace {
  return {
    name: "panorama",
    plane: planes.axial,
    toPane: (point) => spotOn(patientToWall(wall, point), middle, scale, pane),
    toPatient: ([x, y]) =>
      wallToPatient(wall, {
        along: middle[0] + (x - pane.width / 2) / scale,
        height: middle[1] - (y - pane.height / 2) / scale,
        out: 0,
      }),
    isIn: (point) => Math.abs(patientToWall(wall, point).out) <= reach,
  };
}

/** CSS pixels of a place along the curved surface. */
export const spotOn = (
  { along, height }: { along: number; height: number },
  middle: ArchView["middle"],
  scale: number,
  pane: Size,
): Spot => [pane.width / 2 + (along - middle[0]) * scale, pane.height / 2 - (height - middle[1]) * scale];

/** Returns what the renderer draws of it. */
export function wallShown(
  { points, up, wall, wallLook }: Arch,
  store: VolumeStore,
  { middle, scale }: ArchView,
  pane: Size,
): CurveShown {
  return {
    kind: "curve",
    wall: { control: points, up, depth: wallLook.depth, bend: wall?.bend ?? null },
    middle,
    reach: [pane.width / 2 / scale, pane.height / 2 / scale],
    full: patientToTexture(coarser(store.info, store.factor)),
    preview: store.preview && patientToTexture(store.preview.info),
  };
}

/** Zooms so that the place under a point of the viewport stays there, and pans. */
export function zoomedArch(view: ArchView, pane: Size, at: Spot | null, factor: number, by: Spot): ArchView {
  const scale = Math.min(200, Math.max(0.5, view.scale * factor));
  const [x, y] = at ?? [pane.width / 2, pane.height / 2];
  const shift = 1 / view.scale - 1 / scale;
  return {
    scale,
    middle: [
      view.middle[0] + (x - pane.width / 2) * shift - by[0] / scale,
      view.middle[1] - (y - pane.height / 2) * shift + by[1] / scale,
    ],
  };
}
