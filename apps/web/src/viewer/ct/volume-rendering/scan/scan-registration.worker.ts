import { identityTransform, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { computeVertexNormals } from "@arcada/imaging/mesh/vertex-normals";
import { fitSurfaces, computeResiduals, type SurfacePoints } from "@arcada/imaging/surface/registration";

export interface ScanRegistrationJob {
  scan: SurfacePoints;
  /** The volume's surface around the scan, patient mm. */
  volume: { positions: Float32Array; indices: Uint32Array };
  start: RigidTransform;
}

export interface ScanRegistrationResult {
  rigidTransform: RigidTransform;
  rms: number;
  pairs: number;
  /**
   * The colour of each vertex of the scan by its distance from the volume's surface: blue inside, white on it, red
   * outside.
   */
  colours: Uint8Array<ArrayBuffer>;
}

/** Distance in mm at the ends of the scale. */
const maxColouredMm = 0.5;

self.addEventListener("message", ({ data }: MessageEvent<ScanRegistrationJob>) => {
  const { positions, indices } = data.volume;
  const onto: SurfacePoints = { positions, normals: computeVertexNormals({ positions, indices, colours: null }) };
  // Gums have no counterpart on the surface of the teeth: only the nearer half of the points is used.
  const { rigidTransform, rms, pairs } = fitSurfaces(data.scan, onto, {
    start: data.start ?? identityTransform,
    keep: 0.55,
    reach: 3,
  });
  const distances = computeResiduals(data.scan, onto, rigidTransform, 2);
  const colours = new Uint8Array(3 * distances.length);
  for (const [vertex, mm] of distances.entries()) colours.set(colourOf(mm), 3 * vertex);
  const fit: ScanRegistrationResult = { rigidTransform, rms, pairs, colours };
  self.postMessage(fit, { transfer: [colours.buffer] });
});

function colourOf(mm: number): [number, number, number] {
  if (Number.isNaN(mm)) return [150, 150, 150];
  const part = Math.min(1, Math.abs(mm) / maxColouredMm);
  const fade = Math.round(245 * (1 - part));
  return mm > 0 ? [245, fade, fade] : [fade, fade, 245];
}
