import { getTriangleCorners, countTriangles, type Mesh, type Point } from "../mesh/mesh.ts";
import { determineOrientation } from "../orientation/scan-orientation.ts";
import { measureScanShape } from "../orientation/orientation-from-shape.ts";
import { computeVertexNormals } from "../mesh/vertex-normals.ts";
import type { Jaw, PatientFrame } from "../geometry/patient-frame.ts";

export type MeshImageView = "front" | "left" | "right" | "occlusal";
/** `jaw`: which jaw a scan is; null where that is not known. */
export type MeshImageOptions = { width: number; height: number; view: MeshImageView; jaw: Jaw | null };

/**
 * A shaded image of a surface for lists and previews, drawn without a graphics processor.
 * @returns RGBA, row by row from the top, straight alpha; pixels that the surface does not cover are transparent
 */
export function renderMeshImage(
  mesh: Mesh,
  { width, height, view, jaw }: MeshImageOptions,
): Uint8ClampedArray<ArrayBuffer> {
  const canvas = new DepthCanvas(width * supersampling, height * supersampling);
  if (countTriangles(mesh) > 0) {
    const { frame } = determineOrientation([{ shape: measureScanShape(mesh), jaw }]);
    drawMesh(mesh, createCamera(frame, jaw, view), canvas);
  }
  return downsample(canvas, width, height);
}

/** Two by two samples for each pixel: edges are smooth at four times the work of one. */
const supersampling = 2;

class DepthCanvas {
  readonly width: number;
  readonly height: number;
  readonly depth: Float32Array;
  readonly rgb: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.depth = new Float32Array(width * height).fill(-Infinity);
    this.rgb = new Uint8Array(3 * width * height);
  }
}

/** Unit vectors of the image: to the right, up, and towards the eye. */
type Camera = { right: Point; up: Point; eye: Point };

// As seen when facing the patient: the patient's left is on the right of the image.
const createCamera = ({ left, back, up }: PatientFrame, jaw: Jaw | null, view: MeshImageView): Camera => {
  const fromBelow = { right: left, up: negate(back), eye: negate(up) };
  const cameras: Record<MeshImageView, Camera> = {
    front: { right: left, up, eye: negate(back) },
    left: { right: back, up, eye: left },
    right: { right: negate(back), up, eye: negate(left) },
    occlusal: jaw === "upper" ? fromBelow : { right: left, up: back, eye: up },
  };
  return cameras[view];
};

const negate = ([x, y, z]: Point): Point => [-x, -y, -z];

function drawMesh(mesh: Mesh, camera: Camera, canvas: DepthCanvas): void {
  const screen = projectToCanvas(mesh.positions, camera, canvas);
  const tones = computeVertexColours(mesh, camera);
  for (let t = 0; t < countTriangles(mesh); t++) fillTriangle(getTriangleCorners(mesh, t), screen, tones, canvas);
}

/** x and y in samples, z in mm towards the eye. */
function projectToCanvas(positions: Float32Array, camera: Camera, canvas: DepthCanvas): Float32Array {
  const screen = new Float32Array(positions.length);
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const axes = [camera.right, camera.up, camera.eye];
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const [ax, ay, az] = axes[axis];
      const value = positions[i] * ax + positions[i + 1] * ay + positions[i + 2] * az;
      screen[i + axis] = value;
      if (axis === 2) continue;
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  const margin = 0.9;
  const scale = margin * Math.min(canvas.width / (high[0] - low[0] || 1), canvas.height / (high[1] - low[1] || 1));
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  for (let i = 0; i < screen.length; i += 3) {
    screen[i] = canvas.width / 2 + (screen[i] - middle[0]) * scale;
    screen[i + 1] = canvas.height / 2 - (screen[i + 1] - middle[1]) * scale;
  }
  return screen;
}

const ivory = [236, 226, 205];

/** Lambert's law with one lamp above the eye's left shoulder and a weak one from the other side; sRGB per vertex. */
function computeVertexColours(mesh: Mesh, camera: Camera): Float32Array {
  const normals = computeVertexNormals(mesh);
  const lamp = mixDirections(camera, -0.35, 0.5, 0.8);
  const fillLight = mixDirections(camera, 0.7, -0.2, 0.5);
  const tones = new Float32Array(mesh.positions.length);
  for (let i = 0; i < tones.length; i += 3) {
    const [nx, ny, nz] = [normals[i], normals[i + 1], normals[i + 2]];
    const facing = nx * camera.eye[0] + ny * camera.eye[1] + nz * camera.eye[2] < 0 ? -1 : 1;
    const main = facing * (nx * lamp[0] + ny * lamp[1] + nz * lamp[2]);
    const second = facing * (nx * fillLight[0] + ny * fillLight[1] + nz * fillLight[2]);
    const light = 0.2 + 0.72 * Math.max(0, main) + 0.2 * Math.max(0, second);
    for (let c = 0; c < 3; c++) tones[i + c] = (mesh.colours ? mesh.colours[i + c] : ivory[c]) * Math.sqrt(light);
  }
  return tones;
}

function mixDirections({ right, up, eye }: Camera, r: number, u: number, e: number): number[] {
  const length = Math.hypot(r, u, e);
  return [0, 1, 2].map((axis) => (r * right[axis] + u * up[axis] + e * eye[axis]) / length);
}

function fillTriangle(
  [a, b, c]: [number, number, number],
  s: Float32Array,
  tones: Float32Array,
  canvas: DepthCanvas,
): void {
  const area = (s[b] - s[a]) * (s[c + 1] - s[a + 1]) - (s[b + 1] - s[a + 1]) * (s[c] - s[a]);
  if (!(Math.abs(area) > 1e-9)) return;
  const left = Math.max(0, Math.ceil(Math.min(s[a], s[b], s[c]) - 0.5));
  const right = Math.min(canvas.width - 1, Math.floor(Math.max(s[a], s[b], s[c]) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(s[a + 1], s[b + 1], s[c + 1]) - 0.5));
  const bottom = Math.min(canvas.height - 1, Math.floor(Math.max(s[a + 1], s[b + 1], s[c + 1]) - 0.5));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const wa = ((s[b] - px) * (s[c + 1] - py) - (s[b + 1] - py) * (s[c] - px)) / area;
      const wb = ((s[c] - px) * (s[a + 1] - py) - (s[c + 1] - py) * (s[a] - px)) / area;
      const wc = 1 - wa - wb;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const depth = wa * s[a + 2] + wb * s[b + 2] + wc * s[c + 2];
      const at = y * canvas.width + x;
      if (depth <= canvas.depth[at]) continue;
      canvas.depth[at] = depth;
      for (let i = 0; i < 3; i++)
        canvas.rgb[3 * at + i] = Math.min(255, wa * tones[a + i] + wb * tones[b + i] + wc * tones[c + i]);
    }
  }
}

function downsample(canvas: DepthCanvas, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const image = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0];
      let covered = 0;
      for (let k = 0; k < supersampling * supersampling; k++) {
        const at =
          (y * supersampling + Math.floor(k / supersampling)) * canvas.width + x * supersampling + (k % supersampling);
        if (canvas.depth[at] === -Infinity) continue;
        covered++;
        for (let i = 0; i < 3; i++) sum[i] += canvas.rgb[3 * at + i];
      }
      if (covered === 0) continue;
      const to = 4 * (y * width + x);
      for (let i = 0; i < 3; i++) image[to + i] = sum[i] / covered;
      image[to + 3] = (255 * covered) / (supersampling * supersampling);
    }
  }
  return image;
}
