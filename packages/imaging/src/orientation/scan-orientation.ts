import { identityTransform, transformPoint, rotate, type RigidTransform } from "../geometry/rigid-transform.ts";
import { createPatientFrame, lpsFrame, type Jaw, type PatientFrame } from "../geometry/patient-frame.ts";
import { dot, minus, times, type Vector } from "../geometry/vector.ts";
import type { ArchPose, ScanShape } from "./orientation-from-shape.ts";

/** A scan as placed in a scene: its shape (null if it is too small to decide), its jaw, its pose. */
export interface PlacedScan {
  shape: ScanShape | null;
  jaw: Jaw | null;
  pose?: RigidTransform;
}

/** `isKnown`: the sides may be named; otherwise `frame` is the probable orientation of the file. */
export interface Orientation {
  frame: PatientFrame;
  isKnown: boolean;
}

/**
 * Determines the orientation of the patient in a scene. Every scan that is known as an upper or lower jaw, and whose
 * crowns are found, indicates the direction of the head; two jaws that face each other indicate it by their positions.
 * One contradiction leaves the orientation unknown: a wrong side is worse than none.
 */
export function determineOrientation(scans: readonly PlacedScan[]): Orientation {
  const votes = [...scans.flatMap(voteBySide), ...findFacingVotes(scans)];
  const [first] = votes;
  if (!first) return { frame: guessFrame(scans), isKnown: false };
  const isAgreed = votes.every((vote) => dot(vote.up, first.up) > 0.85 && dot(vote.back, first.back) > 0.8);
  return {
    frame: createPatientFrame(first.up, first.back),
    isKnown: isAgreed && scans.every((scan) => !contradicts(scan, first.up)),
  };
}

type Vote = Pick<PatientFrame, "up" | "back">;

const towardsHead = (jaw: Jaw, crown: Vector): Vector => times(crown, jaw === "upper" ? -1 : 1);

const toScene = ({ pose }: PlacedScan, direction: Vector): Vector => rotate(pose ?? identityTransform, direction);

function voteBySide(scan: PlacedScan): Vote[] {
  const { shape, jaw } = scan;
  const arch = shape && (shape.side > 0 ? shape.along : shape.side < 0 ? shape.against : null);
  return arch && jaw ? [makeVote(scan, jaw, arch)] : [];
}

const makeVote = (scan: PlacedScan, jaw: Jaw, { crown, back }: ArchPose): Vote => ({
  up: towardsHead(jaw, toScene(scan, crown)),
  back: toScene(scan, back),
});

/**
 * Returns true if a scan is upside down. A part of an arch cannot determine the direction, but it can contradict it.
 */
function contradicts(scan: PlacedScan, up: Vector): boolean {
  const { shape, jaw } = scan;
  if (!shape || !jaw || shape.side === 0) return false;
  const crown = toScene(scan, times(shape.normal, shape.side));
  return dot(towardsHead(jaw, crown), up) < 0;
}

/** mm between the middles of two jaws in occlusion; one middle is above the other. */
const occlusionLimits = { least: 5, most: 35, aside: 15 };

function findFacingVotes(scans: readonly PlacedScan[]): Vote[] {
  return scans.flatMap((upper) =>
    upper.jaw === "upper" ? scans.flatMap((lower) => (lower.jaw === "lower" ? findFacingVote(upper, lower) : [])) : [],
  );
}

/** An upper and a lower jaw above each other: the head is on the upper one's side. */
function findFacingVote(upper: PlacedScan, lower: PlacedScan): Vote[] {
  if (!upper.shape || !lower.shape) return [];
  const between = minus(
    transformPoint(upper.pose ?? identityTransform, upper.shape.middle),
    transformPoint(lower.pose ?? identityTransform, lower.shape.middle),
  );
  const normal = toScene(upper, upper.shape.normal);
  const height = dot(between, normal);
  const aside = minus(between, times(normal, height));
  const isStacked =
    Math.abs(height) > Math.max(occlusionLimits.least, upper.shape.thickness + lower.shape.thickness) &&
    Math.abs(height) < occlusionLimits.most &&
    Math.hypot(...aside) < occlusionLimits.aside;
  if (!isStacked || Math.abs(dot(normal, toScene(lower, lower.shape.normal))) < 0.9) return [];
  const up = times(normal, Math.sign(height));
  const poses = [upper, lower].map((scan) => {
    const crown = times(up, scan.jaw === "upper" ? -1 : 1);
    const arch =
      scan.shape && (dot(toScene(scan, scan.shape.normal), crown) > 0 ? scan.shape.along : scan.shape.against);
    return arch && scan.jaw ? makeVote(scan, scan.jaw, arch) : null;
  });
  const [one, other] = poses;
  // Arches that open to different sides do not belong together.
  return one && other && dot(one.back, other.back) > 0.9 ? [one] : [];
}

/**
 * Returns the probable orientation of a file if nothing is certain: by its crowns as far as they are found, else as
 * DICOM LPS.
 */
function guessFrame(scans: readonly PlacedScan[]): PatientFrame {
  const scan =
    scans.find(({ shape }) => shape && (shape.along ?? shape.against)) ?? scans.find(({ shape }) => shape?.side);
  if (!scan?.shape) return lpsFrame;
  const { normal, side, along, against } = scan.shape;
  const upwards = times(normal, isUpwards(toScene(scan, normal)) ? 1 : -1);
  const crown = side === 0 ? towardsHead(scan.jaw ?? "lower", upwards) : times(normal, side);
  const arch = dot(crown, normal) > 0 ? along : against;
  const up = towardsHead(scan.jaw ?? "lower", toScene(scan, arch?.crown ?? crown));
  return createPatientFrame(up, arch ? toScene(scan, arch.back) : guessBack(up));
}

/** Programs write models upright: most of the direction along a positive axis. */
const isUpwards = (direction: Vector): boolean =>
  direction.reduce((most, part) => (Math.abs(part) > Math.abs(most) ? part : most), 0) > 0;

const guessBack = (up: Vector): Vector => (Math.abs(up[1]) < 0.8 ? [0, 1, 0] : [0, 0, -1]);
