import type { CephContent, CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import type { Point } from "./plane-geometry.ts";
import { referenceLandmarks } from "./landmarks.ts";

export type LandmarkPoints = Partial<Record<CephLandmark, Point>>;

/** A tracing with its face on the right. Lengths are mm where `isMm`, else widths of a pixel. */
export interface NormalisedTracing {
  points: LandmarkPoints;
  isMm: boolean;
  /**
   * The direction that the face looks on the cephalogram, however it is rotated; null if too few landmarks are marked
   * to decide.
   */
  faces: "right" | "left" | null;
}

/** Corrects the proportions of the marked landmarks, and mirrors a face that looks to the left. */
export function normaliseTracing(content: CephContent): NormalisedTracing {
  const points = correctProportions(content);
  const faces = estimateHeadPose(points)?.faces ?? null;
  return { points: faces === "left" ? mirrorPoints(points) : points, isMm: content.calibration !== null, faces };
}

function correctProportions({ landmarks, aspect, calibration }: CephContent): LandmarkPoints {
  const mmPerPixel = calibration ? patientMmPerPixel(calibration) : 1;
  const points: LandmarkPoints = {};
  for (const [id, [x, y]] of landmarkEntries(landmarks)) points[id] = [x * mmPerPixel, y * aspect * mmPerPixel];
  return points;
}

/** mm in the patient's middle plane for each pixel's width. */
export const patientMmPerPixel = ({ width, magnification }: NonNullable<CephContent["calibration"]>): number =>
  width / magnification;

export const landmarkEntries = <T>(record: Partial<Record<CephLandmark, T>>): [CephLandmark, T][] =>
  Object.entries(record) as [CephLandmark, T][];

const mirrorPoints = (points: LandmarkPoints): LandmarkPoints =>
  Object.fromEntries(landmarkEntries(points).map(([id, [x, y]]) => [id, [-x, y] satisfies Point]));

/**
 * A few collinear landmarks fit the drawn head and its mirror image equally well. The side counts as known only if the
 * worse fit is at most this share of the better one.
 */
const maxMirrorFitRatio = 0.95;

interface HeadPose {
  faces: "right" | "left";
  /** Clockwise degrees by which the head is rotated from upright, after a face that looks left was mirrored. */
  rotationDegrees: number;
}

/**
 * Fits a drawn head to the marked landmarks as they are and mirrored; the better fit decides, however the cephalogram
 * is rotated.
 */
function estimateHeadPose(points: LandmarkPoints): HeadPose | null {
  const marked = landmarkEntries(points);
  if (marked.length < 3) return null;
  const centredPoints = centreOnMean(marked.map(([, point]) => point));
  const centredReference = centreOnMean(marked.map(([id]) => referenceLandmarks[id]));
  const [right, left] = [1, -1].map((side) => {
    let [real, imaginary] = [0, 0];
    // Complex numbers: the size of the sum measures the overlap after the best rotation and scale.
    centredPoints.forEach(([x, y], index) => {
      const [u, v] = centredReference[index];
      real += u * side * x + v * y;
      imaginary += u * y - v * side * x;
    });
    return { size: Math.hypot(real, imaginary), turned: (Math.atan2(imaginary, real) * 180) / Math.PI };
  });
  if (Math.min(right.size, left.size) > maxMirrorFitRatio * Math.max(right.size, left.size)) return null;
  return right.size > left.size
    ? { faces: "right", rotationDegrees: right.turned }
    : { faces: "left", rotationDegrees: left.turned };
}

/**
 * Returns the clockwise quarter turns that bring the head on a cephalogram upright; 0 if too few landmarks are marked
 * to decide.
 */
export function quarterTurnsToUpright(content: CephContent): 0 | 1 | 2 | 3 {
  const pose = estimateHeadPose(correctProportions(content));
  if (!pose) return 0;
  const clockwise = pose.faces === "right" ? -pose.rotationDegrees : pose.rotationDegrees;
  return (((Math.round(clockwise / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
}

export function centreOnMean(points: readonly Point[]): Point[] {
  const [x, y] = points.reduce<Point>(([sx, sy], [px, py]) => [sx + px, sy + py], [0, 0]);
  return points.map(([px, py]) => [px - x / points.length, py - y / points.length]);
}
