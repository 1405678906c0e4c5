import type { CephLandmark, CephTissue } from "@arcada/contract/ceph/ceph.schema";
import { landmarkEntries, type LandmarkPoints } from "./normalised-tracing.ts";
import type { Point } from "./plane-geometry.ts";
import { referenceLandmarks } from "./landmarks.ts";
import { createThinPlateSpline } from "./thin-plate-spline.ts";

export interface Outline {
  name: string;
  tissue: CephTissue;
  points: Point[];
}

interface ReferenceOutline {
  name: string;
  tissue: Exclude<CephTissue, "plane">;
  /** The outline is drawn only if these landmarks are marked: nothing is drawn at unexamined positions. */
  needs: readonly CephLandmark[];
  points: readonly Point[];
}

/** Outlines of the drawn head of `referenceLandmarks`. */
const referenceOutlines: readonly ReferenceOutline[] = [
  {
    name: "sella",
    tissue: "bone",
    needs: ["S", "N"],
    points: [
      [42, -87],
      [12, -83.5],
      [-8, -81.5],
      [-16, -82],
      [-19.5, -79],
      [-20, -75],
      [-24, -70.8],
      [-28.5, -73],
      [-30, -79.5],
      [-33, -79],
      [-36, -68],
      [-42, -52],
      [-47, -42],
    ],
  },
  {
    name: "forehead",
    tissue: "bone",
    needs: ["S", "N"],
    points: [
      [52, -106],
      [51, -96],
      [48.6, -89],
      [48, -84],
      [51.5, -77],
      [55, -70],
      [59, -63],
    ],
  },
  {
    name: "orbit",
    tissue: "bone",
    needs: ["Or", "N"],
    points: [
      [41, -76],
      [37, -68],
      [34.5, -60],
      [35, -55],
      [28, -55.5],
      [20, -57],
    ],
  },
  {
    name: "palate",
    tissue: "bone",
    needs: ["ANS", "PNS", "A"],
    points: [
      [2, -24],
      [15, -25],
      [30, -25],
      [46, -24.5],
      [54, -24],
      [50.5, -22],
      [48.5, -19],
      [48.4, -14],
      [50, -9.5],
    ],
  },
  {
    name: "jaw",
    tissue: "bone",
    needs: ["Go", "Me", "Pog", "B"],
    points: [
      [-34, -33],
      [-38, -36],
      [-41.5, -37.5],
      [-44.5, -36],
      [-44.5, -31.5],
      [-41, -26],
      [-36.5, -12],
      [-33, 6],
      [-30, 17],
      [-25, 24],
      [-16, 28],
      [4, 32],
      [22, 37],
      [33, 40],
      [40, 40],
      [45, 36.5],
      [46.5, 31],
      [44.6, 26],
      [43, 21],
      [44, 14],
      [47, 9],
    ],
  },
  {
    name: "upperIncisor",
    tissue: "tooth",
    needs: ["U1", "U1a"],
    points: [
      [45, -19],
      [48.5, -10],
      [53.2, -7],
      [55.3, -3],
      [55, 3],
      [51.5, -2],
      [48.2, -6],
      [45.6, -10],
      [45, -19],
    ],
  },
  {
    name: "lowerIncisor",
    tissue: "tooth",
    needs: ["L1", "L1a"],
    points: [
      [41.5, 20],
      [46.5, 12],
      [50.2, 8],
      [52, 4],
      [52, 1],
      [49.2, 4.5],
      [46.2, 7.5],
      [43, 11],
      [41.5, 20],
    ],
  },
  {
    name: "profile",
    tissue: "skin",
    needs: ["Sn", "Ls", "Li", "PogS"],
    points: [
      [59, -100],
      [54.5, -86],
      [58, -76],
      [67, -56],
      [76, -38],
      [77.5, -32],
      [71, -24.5],
      [63, -20],
      [62, -16],
      [65, -8],
      [64.4, -4.5],
      [61, -1.8],
      [61, 0],
      [63, 5],
      [63, 9],
      [57.5, 17],
      [59, 24],
      [59.5, 30],
      [57.5, 38],
      [53, 43],
      [40, 48],
      [22, 52.5],
    ],
  },
];

const planes: readonly (readonly [string, CephLandmark, CephLandmark])[] = [
  ["SN", "S", "N"],
  ["FH", "Po", "Or"],
  ["PP", "PNS", "ANS"],
  ["Occ", "OcP", "OcA"],
  ["MP", "Go", "Me"],
  ["NA", "N", "A"],
  ["NB", "N", "B"],
  ["E", "Prn", "PogS"],
];

/**
 * Returns the tracing's drawing: outlines of a usual head bent so that they run through the landmarks, and planes as
 * lines. Between the landmarks an outline is only likely. Points are as in the frame, the face on the right; in the
 * unit of `landmarkPoints`.
 */
export function computeOutlines(landmarkPoints: LandmarkPoints): Outline[] {
  const marked = landmarkEntries(landmarkPoints);
  const warp = createThinPlateSpline(
    marked.map(([id]) => referenceLandmarks[id]),
    marked.map(([, point]) => point),
  );
  const result: Outline[] = warp
    ? referenceOutlines
        .filter(({ needs }) => needs.every((id) => landmarkPoints[id]))
        .map(({ name, tissue, points }) => ({ name, tissue, points: smoothCurve(points).map(warp) }))
    : [];
  for (const [name, from, to] of planes) {
    const [a, b] = [landmarkPoints[from], landmarkPoints[to]];
    if (a && b) result.push({ name, tissue: "plane", points: [a, b] });
  }
  return result;
}

const stepsPerSegment = 5;

/** A curve through all points (Catmull-Rom). */
function smoothCurve(points: readonly Point[]): Point[] {
  const pointAt = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))]!;
  const curve: Point[] = [];
  for (let segment = 0; segment < points.length - 1; segment++)
    for (let step = 0; step < stepsPerSegment; step++) {
      const t = step / stepsPerSegment;
      const interpolate = (axis: 0 | 1): number => {
        const [a, b, c, d] = [
          pointAt(segment - 1)[axis],
          pointAt(segment)[axis],
          pointAt(segment + 1)[axis],
          pointAt(segment + 2)[axis],
        ];
        return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
      };
      curve.push([interpolate(0), interpolate(1)]);
    }
  return [...curve, pointAt(points.length - 1)];
}
