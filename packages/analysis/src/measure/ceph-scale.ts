import { methodStudyText } from "@arcada/contract/analysis/method-evaluation-set";
import type { EngineImage } from "../engine.ts";
import { createAbstention, createObservation, type MeasurementResult } from "./measurement-result.ts";
import { findRuler, type Ruler } from "./find-ruler.ts";

/**
 * Measures the scale of an image by a ruler in it. If several distances between the marks are possible, each is an
 * observation without a confidence, and a person who knows the ruler has to choose.
 */
export function measureScale(picture: EngineImage): MeasurementResult {
  const ruler = findRuler({ columns: picture.columns, rows: picture.rows, data: picture.samples });
  if (!ruler)
    return { observations: [], abstentions: [createAbstention("CEPH_SCALE", "notSupported", "no ruler was found")] };
  const scales = possibleScales(ruler, picture);
  if (scales.length === 0)
    return {
      observations: [],
      abstentions: [
        createAbstention(
          "CEPH_SCALE",
          "selfCheckFailed",
          "no distance of the marks agrees with the picture's size or spacing",
        ),
      ],
    };
  const { column, rows } = ruler.marks;
  const ends = [rows[0], rows[rows.length - 1]].map((row): [number, number] =>
    ruler.isVertical ? [column, row] : [row, column],
  );
  const confidence =
    scales.length > 1
      ? ({ basis: "none" } as const)
      : ({ basis: "error", plusMinus: 1, unit: "%", set: methodStudyText("drawnCeph", 160) } as const);
  return {
    observations: scales.map(({ scale }) =>
      createObservation("CEPH_SCALE", scale, { unit: "mm/px", geometry: { kind: "line", points: ends }, confidence }),
    ),
    abstentions: [],
  };
}

export interface RulerScale {
  /** mm between two marks. */
  every: number;
  /** mm of the ruler in a pixel. */
  scale: number;
}

/** Longer side of a cephalogram, in mm of the head: the usual and the possible range. */
const usualHeightMm = [165, 325] as const;
const possibleHeightMm = [125, 340] as const;
/**
 * The largest accepted deviation from the file's spacing, as the logarithm of a factor, for a ruler in the middle of
 * the head or on the detector.
 */
const maxLogRatio = Math.log(1.25);

/** Returns the possible scales of the marks: one if nothing else fits, several if the image does not decide. */
export function possibleScales(
  ruler: Ruler,
  { columns, rows, spacing }: Pick<EngineImage, "columns" | "rows" | "spacing">,
): RulerScale[] {
  const longerSide = Math.max(columns, rows);
  const scales = possibleMarkDistances(ruler).map((markDistanceMm) => ({
    every: markDistanceMm,
    scale: markDistanceMm / ruler.gap,
  }));
  const knownSpacing = spacing?.row;
  if (knownSpacing !== undefined)
    return scales.filter(({ scale }) => Math.abs(Math.log(scale / knownSpacing)) < maxLogRatio);
  // Marks every 2 mm are rare: without their longer ones they are more likely every third of a ruler too fine to be seen.
  const likely = scales.filter(({ every: markDistanceMm }) => markDistanceMm !== 2 || ruler.longer[0] === 5);
  const isUsual = likely.some(
    ({ scale }) => scale * longerSide >= usualHeightMm[0] && scale * longerSide < usualHeightMm[1],
  );
  return isUsual
    ? scales.filter(
        ({ scale }) => scale * longerSide >= possibleHeightMm[0] && scale * longerSide < possibleHeightMm[1],
      )
    : [];
}

/**
 * Returns the possible distances of the short marks: long marks show that they are fives and tens of millimetres, or
 * tens of fives.
 */
function possibleMarkDistances({ longer: [first, second] }: Ruler): readonly number[] {
  if (first === 10 || second === 2) return [1];
  if (first === 2) return [5];
  return first === 5 ? [1, 2, 10] : [1, 2, 5, 10];
}
