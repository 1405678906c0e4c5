import type { RigidTransform } from "../geometry/rigid-transform.ts";
import type { Vector } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** A drill sleeve above an implant. Positions and axes are in the volume's frame (patient LPS, mm). */
export interface GuideSleeve {
  /** The middle of the implant's shoulder. */
  position: Vector;
  /** The implant's axis out of the jaw, from its tip to its shoulder; of any length but 0. */
  axis: Vector;
  /** Outer diameter of the sleeve, mm. */
  diameter: number;
  /** Length of the sleeve along its axis, mm. */
  height: number;
  /** From the implant's shoulder to the sleeve's lower end, mm along the axis. */
  offset: number;
}

/**
 * The part of the scan that the guide rests on. `radius`: crowns and ridge within so many mm of a sleeve or of the line
 * between two neighbouring sleeves. `outline`: everything within a closed line on the scan (in the volume's frame),
 * seen along the insertion direction; the walls end at the line's height.
 */
export type GuideRegion = { kind: "radius"; mm: number } | { kind: "outline"; points: readonly Vector[] };

/** A round hole through which the seat of the guide is inspected. It never cuts the wall around a sleeve. */
export interface GuideWindow {
  position: Vector;
  /** Along the hole, to both sides. */
  axis: Vector;
  diameter: number;
}

/** Measures in mm. */
export interface GuideSettings {
  /** Thickness of the shell over the teeth. */
  thickness: number;
  /** Gap between teeth and guide. */
  gap: number;
  /** The depth of the walls below the highest places of the scan nearby; for the region `radius` only. */
  reach: number;
  /** Gap between sleeve and bore, all around. */
  sleeveClearance: number;
  /** Wall around the bore. */
  sleeveWall: number;
  /** Distance between the samples of the field: the accuracy of the surface is half of it. */
  step: number;
}

export const defaultGuideSettings: GuideSettings = {
  thickness: 2.5,
  gap: 0.1,
  reach: 6,
  sleeveClearance: 0.05,
  sleeveWall: 2,
  step: 0.2,
};

/** The least and the most of each measure, mm. */
export const guideSettingLimits: Record<keyof GuideSettings, readonly [least: number, most: number]> = {
  thickness: [1, 6],
  gap: [0, 0.5],
  reach: [2, 15],
  sleeveClearance: [0, 0.5],
  sleeveWall: [1, 5],
  step: [0.1, 0.5],
};

export interface GuideInput {
  /** Surface of teeth and gums; it may be open, and need not be oriented. */
  scan: Mesh;
  /** From the scan's own frame into the volume's. */
  transform: RigidTransform;
  /** One at least. */
  sleeves: readonly GuideSleeve[];
  region: GuideRegion;
  /** The direction in which the guide is pushed onto the teeth; null takes the mean axis of the sleeves, into the jaw. */
  insertion: Vector | null;
  windows?: readonly GuideWindow[];
  settings?: Partial<GuideSettings>;
}

/** The reason that no guide can be made of an input. */
export type GuideProblem =
  /** No sleeve, or one without an axis, or measures beyond their limits. */
  | "badMeasures"
  /** The sleeves point so differently that no direction of insertion fits all of them, or one is square to it. */
  | "noInsertion"
  /** No part of the scan lies within the region. */
  | "noScanInRegion"
  /** The region needs more samples than the memory allows. */
  | "tooLarge";

export class GuideError extends Error {
  readonly problem: GuideProblem;

  constructor(problem: GuideProblem) {
    super(`no guide body: ${problem}`);
    this.problem = problem;
  }
}
