import type { Mesh, Point } from "@arcada/imaging/mesh/mesh";

/** A sphere of triangles with their corners on it, facing outwards; `steps` around, half as many from pole to pole. */
export function createSphereMesh([x, y, z]: Point, radius: number, steps: number): Mesh {
  const rings = steps / 2;
  const positions = [x, y, z - radius];
  for (let ring = 1; ring < rings; ring++) {
    const polar = Math.PI * (ring / rings - 0.5);
    for (let step = 0; step < steps; step++) {
      const around = (2 * Math.PI * step) / steps;
      const wide = radius * Math.cos(polar);
      positions.push(x + wide * Math.cos(around), y + wide * Math.sin(around), z + radius * Math.sin(polar));
    }
  }
  positions.push(x, y, z + radius);
  const last = positions.length / 3 - 1;
  const at = (ring: number, step: number) => 1 + (ring - 1) * steps + (step % steps);
  const indices: number[] = [];
  for (let step = 0; step < steps; step++) {
    indices.push(0, at(1, step + 1), at(1, step));
    for (let ring = 1; ring + 1 < rings; ring++) {
      const [a, b, c, d] = [at(ring, step), at(ring, step + 1), at(ring + 1, step), at(ring + 1, step + 1)];
      indices.push(a, b, c, b, d, c);
    }
    indices.push(last, at(rings - 1, step), at(rings - 1, step + 1));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), colours: null };
}

/** A box between two corners, facing outwards, each side of `steps` by `steps` squares; equal vertices are joined by `weld`. */
export function createBoxMesh(min: Point, max: Point, steps = 1): Mesh {
  const positions: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const isHigh of [false, true])
      for (let i = 0; i < steps; i++)
        for (let j = 0; j < steps; j++) {
          const corner = (u: number, v: number): number[] => {
            const place: number[] = [];
            place[axis] = (isHigh ? max : min)[axis];
            [u, v].forEach((part, at) => {
              const other = (axis + 1 + at) % 3;
              place[other] = min[other] + ((max[other] - min[other]) * part) / steps;
            });
            return place;
          };
          const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
          positions.push(...(isHigh ? [a, b, d, a, d, c] : [a, d, b, a, c, d]).flat());
        }
  return { positions: Float32Array.from(positions), indices: null, colours: null };
}
