import { patientToVoxel } from "../volume/voxel-to-patient.ts";
import type { ModelCamera } from "./model-camera.ts";
import type { Size } from "./image-view.ts";
import { mapViewportToTexture, type ViewportTexture } from "./plane-view.ts";
import { dot, times, type Vector } from "../geometry/vector.ts";
import { axesOf, sizeOf, type VolumeGeometry } from "../volume/volume-geometry.ts";
import type { VolumeClip } from "./volume-clip.ts";

/** The parallel rays of a camera in the coordinates of a volume's texture, 0 to 1 from voxel edge to voxel edge. */
export interface RenderRays {
  /** `at` in the plane through the camera's target; `away` for each mm from the eye. */
  texture: ViewportTexture;
  /** Texture coordinates of the preview: those of the volume × scale + shift. */
  preview: { scale: Vector; shift: Vector } | null;
  /** mm along the volume's axes from edge to edge. */
  extent: Vector;
  /** Unit vectors of the camera along the volume's axes. */
  right: Vector;
  up: Vector;
  eye: Vector;
  low: Vector;
  high: Vector;
  /** Texture points with xyz · point + w > 0 are taken away. */
  cut: readonly [number, number, number, number] | null;
}

export function createRenderRays(
  volume: VolumeGeometry,
  preview: VolumeGeometry | null,
  camera: ModelCamera,
  viewport: Size,
  clip: VolumeClip,
): RenderRays {
  const { right, up, eye, target, scale } = camera;
  const plane = { right, down: times(up, -1), away: times(eye, -1) };
  const middle = [dot(target, plane.right), dot(target, plane.down)] as const;
  const along = (vector: Vector) => axesOf(volume).map((axis) => dot(axis, vector)) as unknown as Vector;
  return {
    texture: mapViewportToTexture(volume, plane, { middle, scale }, viewport, dot(target, plane.away)),
    preview: preview && mapToPreview(volume, preview),
    extent: getVolumeExtent(volume),
    right: along(right),
    up: along(up),
    eye: along(eye),
    low: clip.low,
    high: clip.high,
    cut: clip.cut && toTexturePlane(volume, clip.cut),
  };
}

const getVolumeExtent = (volume: VolumeGeometry): Vector =>
  sizeOf(volume).map((count, axis) => count * volume.spacing[axis]) as unknown as Vector;

/** Both have the same axes: a scale and a shift map one onto the other. */
function mapToPreview(volume: VolumeGeometry, preview: VolumeGeometry): { scale: Vector; shift: Vector } {
  const [whole, part] = [getVolumeExtent(volume), getVolumeExtent(preview)];
  const corner = patientToVoxel(preview, volume.origin);
  const scale = whole.map((mm, axis) => mm / part[axis]) as unknown as Vector;
  const shift = sizeOf(volume).map((count, axis) => {
    const first = (corner[axis] + 0.5) / sizeOf(preview)[axis];
    return first - (0.5 / count) * scale[axis];
  }) as unknown as Vector;
  return { scale, shift };
}

function toTexturePlane(
  volume: VolumeGeometry,
  { normal, offset }: NonNullable<VolumeClip["cut"]>,
): readonly [number, number, number, number] {
  const extent = getVolumeExtent(volume);
  const [a, b, c] = axesOf(volume).map((axis, at) => dot(axis, normal) * extent[at]);
  // Texture coordinate 0 is the edge of the first voxel, whose middle is the origin.
  const corner = axesOf(volume).reduce(
    (sum, axis, at) => sum - 0.5 * volume.spacing[at] * dot(axis, normal),
    dot(volume.origin, normal),
  );
  return [a, b, c, corner - offset];
}
