import { beforeAll, describe, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { present } from "@arcada/testing/require-present";
import {
  identityTransform,
  invertTransform,
  transformPoint,
  type RigidTransform,
} from "../geometry/rigid-transform.ts";
import { cross, distance, dot, lengthOf, minus, normalize, plus, times, type Vector } from "../geometry/vector.ts";
import { getRadialDirections } from "../implant/implant-body.ts";
import { computeEnclosedVolume, countTriangles, type Mesh } from "../mesh/mesh.ts";
import { findFirstIntersection } from "../surface/ray-mesh-intersection.ts";
import { makeGuideBody, type GuideBody } from "./guide-body.ts";
import { GuideError, type GuideInput, type GuideSleeve } from "./guide-input.ts";

const settings = { gap: 0.15, thickness: 2.5, step: 0.25, sleeveClearance: 0.05, sleeveWall: 2 };
const head = makeHead("e");
const tooth = present(head.teeth.find(({ fdi }) => fdi === 46));
const sleeve: GuideSleeve = { position: tooth.neck, axis: tooth.axes.crown, diameter: 5, height: 5, offset: 4 };
// A scanner stores a scan in a frame of its own.
const toScanner: RigidTransform = [0, -1, 0, 12, 0.6, 0, -0.8, 40, 0.8, 0, 0.6, -7];
let scan: Mesh;
let input: GuideInput;
let guide: GuideBody;
const steps: number[] = [];

beforeAll(() => {
  scan = createArchScan(head, "lower");
  const stored = { ...scan, positions: movePositions(scan.positions, toScanner) };
  input = {
    scan: stored,
    transform: invertTransform(toScanner),
    sleeves: [sleeve],
    region: { kind: "radius", mm: 12 },
    insertion: [0, 0, -1],
    windows: [{ position: plus(tooth.neck, [-14, 2, 4]), axis: [1, 0, 0], diameter: 2 }],
    settings,
  };
  guide = makeGuideBody(input, (share) => steps.push(share));
}, 60_000);

const movePositions = (positions: Float32Array, transform: RigidTransform): Float32Array => {
  const moved = positions.slice();
  for (let at = 0; at < moved.length; at += 3)
    moved.set(transformPoint(transform, [moved[at], moved[at + 1], moved[at + 2]]), at);
  return moved;
};
const vertexOf = ({ positions }: Mesh, vertex: number): Vector => [
  positions[3 * vertex],
  positions[3 * vertex + 1],
  positions[3 * vertex + 2],
];
const cornersOf = (mesh: Mesh, triangle: number): [Vector, Vector, Vector] => {
  const at = (corner: number): number => mesh.indices?.[3 * triangle + corner] ?? 3 * triangle + corner;
  return [vertexOf(mesh, at(0)), vertexOf(mesh, at(1)), vertexOf(mesh, at(2))];
};

/** The distance of a point from a triangle: from its plane where the foot is inside, else from its sides. */
function measureToTriangle(point: Vector, [a, b, c]: readonly [Vector, Vector, Vector]): number {
  const normal = normalize(cross(minus(b, a), minus(c, a)));
  const sides = [
    [a, b],
    [b, c],
    [c, a],
  ] as const;
  const isOver = sides.every(([from, to]) => dot(cross(minus(to, from), minus(point, from)), normal) >= 0);
  if (isOver) return Math.abs(dot(minus(point, a), normal));
  return Math.min(
    ...sides.map(([from, to]) => {
      const along = minus(to, from);
      const share = dot(minus(point, from), along) / (dot(along, along) || 1);
      return distance(point, plus(from, times(along, Math.min(1, Math.max(0, share)))));
    }),
  );
}

function measureToMesh(mesh: Mesh, point: Vector): number {
  let least = Infinity;
  for (let t = 0; t < countTriangles(mesh); t++) {
    const corners = cornersOf(mesh, t);
    if (distance(corners[0], point) < least + 3) least = Math.min(least, measureToTriangle(point, corners));
  }
  return least;
}

/** Every so many vertices of the guide with the mean of the normals of its triangles. */
function sampleVertices(mesh: Mesh, every: number): { place: Vector; normal: Vector }[] {
  const normals = new Map<number, Vector>();
  for (let t = 0; t < countTriangles(mesh); t++) {
    const [a, b, c] = cornersOf(mesh, t);
    const normal = cross(minus(b, a), minus(c, a));
    for (let corner = 0; corner < 3; corner++) {
      const vertex = mesh.indices?.[3 * t + corner] ?? 0;
      if (vertex % every === 0) normals.set(vertex, plus(normals.get(vertex) ?? [0, 0, 0], normal));
    }
  }
  return [...normals].map(([vertex, normal]) => ({ place: vertexOf(mesh, vertex), normal: normalize(normal) }));
}

const surface = (mesh: Mesh) => ({ positions: mesh.positions, indices: present(mesh.indices) });
const measureAside = (place: Vector): number => {
  const from = minus(place, sleeve.position);
  const axis = normalize(sleeve.axis);
  return lengthOf(minus(from, times(axis, dot(from, axis))));
};

describe("the body of a surgical guide", () => {
  it("is one closed surface facing outwards: every edge is passed once in each direction", () => {
    const edges = new Set<string>();
    const indices = present(guide.mesh.indices);
    for (let at = 0; at < indices.length; at++) edges.add(`${indices[at]} ${indices[at % 3 === 2 ? at - 2 : at + 1]}`);
    expect(edges.size).toBe(indices.length);
    const unpaired = [...edges].filter((edge) => !edges.has(edge.split(" ").reverse().join(" ")));
    expect(unpaired).toEqual([]);
    expect(guide.parts).toBe(1);
    expect(computeEnclosedVolume(guide.mesh)).toBeCloseTo(guide.volume, 0);
    expect(guide.volume).toBeGreaterThan(500);
  });

  it("leaves the whole bore free, and has a wall around the sleeve", () => {
    const axis = normalize(sleeve.axis);
    const bottom = plus(sleeve.position, times(axis, sleeve.offset));
    const body = { head: bottom, apex: plus(bottom, times(axis, -1)), shoulder: 1, tip: 1 };
    for (const direction of getRadialDirections(body, 16)) {
      for (const share of [0, 0.5, 1]) {
        const start = plus(plus(bottom, times(axis, -12)), times(direction, (share * sleeve.diameter) / 2));
        expect(findFirstIntersection(surface(guide.mesh), start, axis)).toBeNull();
      }
      const middle = plus(bottom, times(axis, sleeve.height / 2));
      const wall = present(findFirstIntersection(surface(guide.mesh), middle, direction));
      const radius = sleeve.diameter / 2 + settings.sleeveClearance;
      expect(Math.abs(distance(wall, middle) - radius)).toBeLessThan(settings.step / 2);
    }
  });

  it("keeps its gap to the teeth: nowhere nearer, and on the crowns no further", () => {
    for (const { place } of sampleVertices(guide.mesh, 503))
      expect(measureToMesh(scan, place)).toBeGreaterThan(settings.gap - settings.step / 2);
    const crowns = sampleVertices(scan, 19).filter(
      ({ place, normal }) =>
        normal[2] > 0.5 && measureAside(place) < 9 && place[2] > tooth.neck[2] + 4 && measureAside(place) > 5.5,
    );
    expect(crowns.length).toBeGreaterThan(20);
    for (const { place } of crowns) {
      const gap = measureToMesh(guide.mesh, place);
      expect(Math.abs(gap - settings.gap)).toBeLessThan(settings.step / 2);
    }
  });

  it("is as thick as it should be over the crowns", () => {
    const inner = sampleVertices(guide.mesh, 23).filter(
      ({ place, normal }) =>
        normal[2] < -0.6 && place[2] > tooth.neck[2] + 3 && measureAside(place) > 5.5 && measureAside(place) < 10,
    );
    expect(inner.length).toBeGreaterThan(20);
    for (const { place, normal } of inner) {
      const start = plus(place, times(normal, -1e-3));
      const exit = present(findFirstIntersection(surface(guide.mesh), start, times(normal, -1)));
      expect(distance(exit, place)).toBeGreaterThan(settings.thickness - settings.step);
    }
  });

  it("can be pushed on and pulled off: no part of it is under the scan's bulges", () => {
    for (const { place } of sampleVertices(guide.mesh, 401))
      expect(findFirstIntersection(surface(scan), place, [0, 0, 1])).toBeNull();
  });

  it("reports its progress up to the end", () => {
    expect(steps.at(-1)).toBe(1);
    expect(steps.every((share, at) => at === 0 || share >= steps[at - 1])).toBe(true);
  });
});

describe("a guide that cannot be made", () => {
  const problemOf = (change: Partial<GuideInput>): string | null => {
    try {
      makeGuideBody({ ...input, ...change });
      return null;
    } catch (error) {
      if (error instanceof GuideError) return error.problem;
      throw error;
    }
  };

  it("says why", () => {
    expect(problemOf({ sleeves: [] })).toBe("badMeasures");
    expect(problemOf({ settings: { ...settings, thickness: 0.2 } })).toBe("badMeasures");
    expect(problemOf({ sleeves: [{ ...sleeve, axis: [0, 0, 0] }] })).toBe("badMeasures");
    expect(problemOf({ insertion: [1, 0, 0] })).toBe("noInsertion");
    expect(problemOf({ sleeves: [sleeve, { ...sleeve, axis: times(sleeve.axis, -1) }] })).toBe("noInsertion");
    expect(problemOf({ transform: identityTransform })).toBe("noScanInRegion");
    expect(problemOf({ region: { kind: "radius", mm: 80 }, settings: { ...settings, step: 0.1 } })).toBe("tooLarge");
  });
});
