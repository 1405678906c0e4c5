import { boundsOf, corners, triangleCount, type Mesh, type Point } from "./mesh.ts";

/** Which way a dental surface lies: unit vectors along the file's axes, and whether it is an upper jaw. */
export type Frame = { left: Point; back: Point; crown: Point; upper: boolean };

/**
 * Guesses the frame. Every scanner has its own axes, but a dental arch is flat, wider than deep, and open at its back;
 * the net normal of an open surface points to the crowns. What is no arch (a single crown) is taken as DICOM LPS.
 * Whether a jaw is the upper one is known only from LPS-like data, where its crowns point down.
 */
export function frameOf(mesh: Mesh): Frame {
  const { min, max } = boundsOf(mesh);
  const size = [0, 1, 2].map((axis) => max[axis] - min[axis]);
  const flat = size.indexOf(Math.min(...size));
  const others = [0, 1, 2].filter((axis) => axis !== flat);
  const isArch = size[others[0]] > 2 * size[flat] && size[others[1]] > 2 * size[flat];
  if (!isArch) return { left: unit(0, 1), back: unit(1, 1), crown: unit(2, 1), upper: false };
  const [across, along] = size[others[0]] >= size[others[1]] ? others : [others[1], others[0]];
  const net = netNormal(mesh)[flat];
  const crown = unit(flat, net < 0 ? -1 : 1);
  const back = unit(along, frontSide(mesh, across, along) === "low" ? 1 : -1);
  const upper = net < 0;
  // Left, back and up are a right-handed triple, as L, P and S are.
  return { left: cross(back, upper ? negative(crown) : crown), back, crown, upper };
}

const unit = (axis: number, sign: number): Point => [
  axis === 0 ? sign : 0,
  axis === 1 ? sign : 0,
  axis === 2 ? sign : 0,
];

const negative = ([x, y, z]: Point): Point => [-x, -y, -z];

const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The sum of the triangles' normals, as a share of the whole area: zero for a closed surface. */
function netNormal(mesh: Mesh): number[] {
  const p = mesh.positions;
  const sum = [0, 0, 0];
  let area = 0;
  for (let t = 0; t < triangleCount(mesh); t++) {
    const [a, b, c] = corners(mesh, t);
    const u: Point = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const v: Point = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const normal = cross(u, v);
    normal.forEach((value, axis) => (sum[axis] += value));
    area += Math.hypot(...normal);
  }
  return sum.map((value) => (Math.abs(value) < 0.02 * area ? 0 : value / area));
}

/** Near the midline there are only the front teeth. */
function frontSide(mesh: Mesh, across: number, along: number): "low" | "high" {
  const { min, max } = boundsOf(mesh);
  const middle = (min[across] + max[across]) / 2;
  const near = 0.12 * (max[across] - min[across]);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < mesh.positions.length; i += 3) {
    if (Math.abs(mesh.positions[i + across] - middle) > near) continue;
    sum += mesh.positions[i + along];
    count++;
  }
  return sum / count <= (min[along] + max[along]) / 2 ? "low" : "high";
}
