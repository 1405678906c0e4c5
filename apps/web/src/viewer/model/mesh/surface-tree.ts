import { joinContours, cutTriangle, type Contour } from "@arcada/imaging/mesh/contour";
import type { SectionPlane } from "@arcada/imaging/view/section-plane";
import { dot, plus, times, normalize, type Vector } from "@arcada/imaging/geometry/vector";
import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from "three";
import { MeshBVH, type SerializedBVH } from "three-mesh-bvh";
import type { MeshTree } from "./load-mesh.worker.ts";

/** The point at which a ray hits a surface, in mm in the surface's own space. */
export interface SurfaceHit {
  point: Vector;
  distance: number;
  face: number;
}

interface Triangles {
  positions: Float32Array;
  indices: Uint32Array;
}

/**
 * Answers queries about a surface by a tree over its triangles: hundredths of a millisecond for a ray, a few
 * milliseconds for a section.
 */
export class SurfaceTree {
  readonly #bvh: MeshBVH;
  readonly #positions: Float32Array;
  readonly #indices: Uint32Array;

  /** `bvh`: a tree that was built elsewhere, over these triangles in their order; null builds one here. */
  constructor({ positions, indices }: Triangles, bvh: SerializedBVH | null = null) {
    const geometry = createGeometry({ positions, indices });
    this.#bvh = bvh ? MeshBVH.deserialize(bvh, geometry, { setIndex: false }) : new MeshBVH(geometry);
    this.#positions = positions;
    this.#indices = indices;
  }

  /** The first hit of a ray, among the points that count. */
  raycast(origin: Vector, direction: Vector, accepts: (point: Vector) => boolean = () => true): SurfaceHit | null {
    const ray = new Ray(new Vector3(...origin), new Vector3(...direction));
    const all = this.#bvh.raycast(ray, DoubleSide).sort((a, b) => a.distance - b.distance);
    for (const { point, distance, faceIndex } of all) {
      const at: Vector = [point.x, point.y, point.z];
      if (accepts(at)) return { point: at, distance, face: faceIndex ?? 0 };
    }
    return null;
  }

  /** The nearest point of the surface within `reach`, mm. */
  nearest([x, y, z]: Vector, reach: number): SurfaceHit | null {
    const found = this.#bvh.closestPointToPoint(this.#asked.set(x, y, z), this.#target, 0, reach);
    if (!found || found.distance > reach) return null;
    return { point: [found.point.x, found.point.y, found.point.z], distance: found.distance, face: found.faceIndex };
  }
  readonly #asked = new Vector3();
  readonly #target = { point: new Vector3(), distance: 0, faceIndex: 0 };

  /** The intersection lines of a plane with the surface. */
  intersectPlane(plane: SectionPlane): Contour[] {
    const pieces: [Vector, Vector][] = [];
    this.#bvh.shapecast({
      intersectsBounds: (box) => boxMeetsPlane(box, plane),
      intersectsTriangle: (_, triangle) => {
        const piece = cutTriangle(this.#positions, this.#cornersOf(triangle), plane);
        if (piece) pieces.push(piece);
      },
    });
    return joinContours(pieces);
  }

  /** The point of the opposite wall, straight inwards from a point of the surface, mm; null if there is none. */
  findOpposite(point: Vector): Vector | null {
    const inwards = times(this.normalAt(point), -1);
    const skin = 0.02;
    return this.raycast(plus(point, times(inwards, skin)), inwards)?.point ?? null;
  }

  /**
   * The outward normal at a point of the surface: the mean of the triangles within `around` mm, weighted by their
   * areas.
   */
  normalAt(point: Vector, around = 0.3): Vector {
    const near = this.nearest(point, 5);
    const at = new Vector3(...(near?.point ?? point));
    const first = near ? this.#areaNormal(near.face) : ([0, 0, 1] as Vector);
    let sum: Vector = first;
    this.#bvh.shapecast({
      intersectsBounds: (box) => box.distanceToPoint(at) <= around,
      intersectsTriangle: ({ a, b, c }, triangle) => {
        const middle = { x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3, z: (a.z + b.z + c.z) / 3 };
        const normal = this.#areaNormal(triangle);
        // Excludes the other side of a thin wall, which is near, too.
        if (at.distanceTo(middle) <= around && dot(normal, first) > 0) sum = plus(sum, normal);
      },
    });
    return normalize(sum);
  }

  #cornersOf(triangle: number): [number, number, number] {
    const at = 3 * triangle;
    const indices = this.#indices;
    return [3 * (indices[at] ?? 0), 3 * (indices[at + 1] ?? 0), 3 * (indices[at + 2] ?? 0)];
  }

  #areaNormal(triangle: number): Vector {
    const p = this.#positions;
    const [a, b, c] = this.#cornersOf(triangle);
    const side = (to: number, axis: number) => (p[to + axis] ?? 0) - (p[a + axis] ?? 0);
    const [ux, uy, uz] = [side(b, 0), side(b, 1), side(b, 2)];
    const [vx, vy, vz] = [side(c, 0), side(c, 1), side(c, 2)];
    return [(uy * vz - uz * vy) / 2, (uz * vx - ux * vz) / 2, (ux * vy - uy * vx) / 2];
  }
}

/** Builds the tree of a surface and puts its triangles in the order that the tree needs. */
export function buildMeshTree(surface: Triangles): MeshTree {
  const bvh = MeshBVH.serialize(new MeshBVH(createGeometry(surface)), { cloneBuffers: false });
  return { bvh, indices: surface.indices };
}

function createGeometry({ positions, indices }: Triangles): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

function boxMeetsPlane({ min, max }: Box3, { normal: [a, b, c], offset }: SectionPlane): boolean {
  const middle = (a * (min.x + max.x) + b * (min.y + max.y) + c * (min.z + max.z)) / 2;
  const half = (Math.abs(a) * (max.x - min.x) + Math.abs(b) * (max.y - min.y) + Math.abs(c) * (max.z - min.z)) / 2;
  return Math.abs(middle - offset) <= half;
}
