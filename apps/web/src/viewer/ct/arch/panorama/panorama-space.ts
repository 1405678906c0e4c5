import {
  patientToCurvedSurface,
  curvedSurfaceToPatient,
  type CurvedSurface,
} from "@arcada/imaging/arch/curved-surface";
import type { CurvedSurfaceContent } from "@arcada/imaging/gl/curved-surface-renderer";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import { anatomicalPlanes } from "@arcada/imaging/view/plane-view";
import { createPatientToTextureMatrix } from "@arcada/imaging/view/texture-matrix";
import { dot } from "@arcada/imaging/geometry/vector";
import { cornersOf, type VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { downsampleGeometry } from "../../loading/texture-size.ts";
import type { ViewportSpace } from "../../annotations/use-plane-annotations.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import type { ArchView } from "@arcada/imaging/arch/arch-display-settings";
import type { Arch } from "../use-arch.ts";

/**
 * mm above and below the arch that a panorama shows at first, as far as the volume reaches: from the condyles to the
 * chin.
 */
const [over, under] = [48, 34];
const rulerHeight = 26;

/** The view that shows the whole length of the curved surface, and the jaws. */
export function fitPanorama(curvedSurface: CurvedSurface, volume: VolumeGeometry, viewport: Size): ArchView {
  const heights = cornersOf(volume).map((corner) => dot(corner, curvedSurface.up));
  const top = Math.min(Math.max(...heights), curvedSurface.level + over);
  const bottom = Math.max(Math.min(...heights), curvedSurface.level - under);
  const scale = Math.min(
    viewport.width / curvedSurface.length,
    Math.max(40, viewport.height - rulerHeight) / (top - bottom),
  );
  return { scale, middle: [curvedSurface.length / 2, (top + bottom) / 2] };
}

/** The unrolled curved surface on the screen: the patient's right on the left. */
export function createPanoramaSpace(
  curvedSurface: CurvedSurface,
  { middle, scale }: ArchView,
  viewport: Size,
  reach: number,
): ViewportSpace {
  return {
    name: "panorama",
    plane: anatomicalPlanes.axial,
    toViewport: (point) => toScreenPoint(patientToCurvedSurface(curvedSurface, point), middle, scale, viewport),
    toPatient: ([x, y]) =>
      curvedSurfaceToPatient(curvedSurface, {
        along: middle[0] + (x - viewport.width / 2) / scale,
        height: middle[1] - (y - viewport.height / 2) / scale,
        out: 0,
      }),
    isIn: (point) => Math.abs(patientToCurvedSurface(curvedSurface, point).out) <= reach,
  };
}

/** Converts a position on the curved surface to CSS pixels of the viewport. */
export const toScreenPoint = (
  { along, height }: { along: number; height: number },
  middle: ArchView["middle"],
  scale: number,
  viewport: Size,
): Point2D => [viewport.width / 2 + (along - middle[0]) * scale, viewport.height / 2 - (height - middle[1]) * scale];

/** Returns what the renderer draws of it. */
export function describePanorama(
  { points, up, curvedSurface, panoramaSettings }: Arch,
  store: VolumeStore,
  { middle, scale }: ArchView,
  viewport: Size,
): CurvedSurfaceContent {
  return {
    kind: "curve",
    curvedSurface: { control: points, up, depth: panoramaSettings.depth, bend: curvedSurface?.bend ?? null },
    middle,
    reach: [viewport.width / 2 / scale, viewport.height / 2 / scale],
    full: createPatientToTextureMatrix(downsampleGeometry(store.info, store.factor)),
    preview: store.preview && createPatientToTextureMatrix(store.preview.info),
  };
}

/** Zooms so that the place under a point of the viewport stays there, and pans. */
export function zoomArchView(
  view: ArchView,
  viewport: Size,
  at: Point2D | null,
  factor: number,
  by: Point2D,
): ArchView {
  const scale = Math.min(200, Math.max(0.5, view.scale * factor));
  const [x, y] = at ?? [viewport.width / 2, viewport.height / 2];
  const shift = 1 / view.scale - 1 / scale;
  return {
    scale,
    middle: [
      view.middle[0] + (x - viewport.width / 2) * shift - by[0] / scale,
      view.middle[1] - (y - viewport.height / 2) * shift + by[1] / scale,
    ],
  };
}
