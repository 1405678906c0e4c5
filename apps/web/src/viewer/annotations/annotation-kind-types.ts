import type { Icon } from "@tabler/icons-react";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { LineProfile, RegionShape, RegionStatistics } from "@arcada/imaging/view/grey-value-statistics";
import type { Measurement, Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { NameUnder, Translate } from "../../i18n/texts.ts";

type Point = readonly number[];

/** The measurements between points of a viewer: pixels of an image with their spacing, or patient mm. */
export interface Ruler {
  length: (a: Point, b: Point) => Measurement;
  /** The angle at `corner`, 0 to 180 degrees. */
  angle: (a: Point, corner: Point, b: Point) => Measurement;
  /** The angle between the lines a–b and c–d, 0 to 90 degrees. */
  lineAngle: (a: Point, b: Point, c: Point, d: Point) => Measurement;
  /** Measures along the surface from one of its points to another; null if no path was found. */
  surfaceLength?: (a: Point, b: Point) => Measurement | null;
  /**
   * Grey values between two opposite corners, and along a line; absent if they cannot be read, null if there are none.
   */
  region?: (shape: RegionShape, a: Point, b: Point) => RegionStatistics | null;
  profile?: (a: Point, b: Point) => LineProfile | null;
  /** True if grey values are those of the volume at half its resolution. */
  isHalfResolution?: boolean;
  /** The reader's tooth notation. */
  teeth?: ToothScheme;
}

/** An annotation as far as it is drawn: its points in the viewer's own coordinates. */
export type DrawableAnnotation = Pick<Annotation, "points" | "text" | "settings">;

/**
 * The drawing and the label of one annotation tool. One tool, one file in `kinds`; its name and number of points are in
 * the contract, its label in `viewer.tool`.
 */
export interface AnnotationKind {
  icon: Icon;
  keys: string;
  /** The text beside the annotation; "\n" breaks lines. */
  label: (t: Translate, annotation: DrawableAnnotation, ruler: Ruler) => string;
  /** The lines between its points on the screen; without it one line through all of them. */
  lines?: (points: readonly Point2D[]) => readonly (readonly Point2D[])[];
  /** Dashed auxiliary lines. */
  guides?: (points: readonly Point2D[]) => readonly (readonly Point2D[])[];
  /** The index of the point beside which the text is placed; by default the last point. */
  labelPointIndex?: number;
  /** The index of the point with the arrowhead. */
  arrowheadIndex?: number;
  /** The input requested when its last point is set; `needs`: the annotation is discarded without it. */
  input?: { for: "words" | "tooth" | "mm"; isRequired: boolean };
  /**
   * True if the annotation belongs to patient space and not to a plane: all viewports of a volume show it, in a
   * separate layer.
   */
  isSpatial?: boolean;
  /** The prompts after its first point and each further one; the last applies until it is drawn. */
  steps?: readonly NameUnder<"viewer.step">[];
  /** Instructions of its own instead: before its first point and after each one. */
  hints?: (t: Translate) => readonly string[];
  /** The initial points if it is made without a pointer, in eighths of the viewport from its middle. */
  initialPoints?: readonly Point2D[];
}
