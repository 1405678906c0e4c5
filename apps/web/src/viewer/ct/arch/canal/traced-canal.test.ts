import { describe, expect, it } from "vitest";
import type { Annotation } from "@arcada/contract/study/annotation";
import { createSmoothLine } from "@arcada/imaging/arch/smooth-line";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import { present } from "@arcada/testing/require-present";
import { cutAtHidden, readStretches, readUncertain, writeStretches } from "./hidden-stretches.ts";
import { findLongestDoubt, isTraced, replaceStretch, withAnswer, withPath, withPoints } from "./traced-canal.ts";

const line = (count: number): Vector[] => Array.from({ length: count }, (_, at): Vector => [5 * at, 0, 0]);
const drawn: Annotation = {
  id: "canal",
  instanceId: "volume",
  tool: "canal",
  points: line(3).map((point) => [...point]),
  text: null,
  plane: "volume",
  settings: { side: "left" },
};
const traced = withPath(drawn, { points: line(8), hidden: [2, 3, 6], doubtful: [5, 6] });
const readHidden = (annotation: Pick<Annotation, "settings">) => readStretches(annotation, "hidden");
const place = (annotation: Annotation): Vector[] => annotation.points.map(toVector);

describe("a canal found in the volume", () => {
  it("keeps the stretches that are not seen as short ranges", () => {
    expect(traced.settings).toEqual({ side: "left", isTraced: true, hidden: "2-3 6", doubtful: "5-6" });
    expect(readUncertain(traced)).toEqual([2, 3, 6, 5]);
    expect(readHidden(traced)).toEqual([2, 3, 6]);
    expect(writeStretches([])).toBe("");
    expect([isTraced(drawn), isTraced(traced)]).toEqual([false, true]);
  });

  it("reads nothing from settings that it did not write", () => {
    for (const hidden of ["", "x", "3-", "9-2", "0-99999", "-1", 4])
      expect(readHidden({ settings: { hidden } }).length).toBeLessThan(2);
  });

  it("renumbers the stretches when a point is added or removed", () => {
    const points = place(traced);
    expect(readHidden(withPoints(traced, points.toSpliced(1, 0, [3, 1, 0])))).toEqual([3, 4, 7]);
    expect(readHidden(withPoints(traced, points.toSpliced(3, 0, [12, 1, 0])))).toEqual([2, 3, 4, 7]);
    expect(readHidden(withPoints(traced, points.toSpliced(0, 1)))).toEqual([1, 2, 5]);
    expect(readHidden(withPoints(traced, points.toSpliced(3, 1)))).toEqual([2, 5]);
    expect(readHidden(withPoints(traced, points.with(3, [15, 2, 0])))).toEqual([2, 3, 6]);
  });

  it("keeps a moved point and replaces its neighbours", () => {
    const moved = withPoints(traced, place(traced).with(4, [20, 3, 0]));
    const found = { points: [2, 2.6, 3.4, 4.1, 5, 6].map((at): Vector => [5 * at, 1, 0]), hidden: [4], doubtful: [] };
    const next = replaceStretch(moved, [2, 4, 6], found);
    expect(place(next)).toEqual([...line(3), [13, 1, 0], [17, 1, 0], [20, 3, 0], [25, 1, 0], [30, 0, 0], [35, 0, 0]]);
    // The stretches 2 and 3 are seen now, 4 of the found ones is not, and the last has a new number.
    expect(readHidden(next)).toEqual([6, 7]);
    expect(readStretches(next, "doubtful")).toEqual([7]);
  });

  it("asks for one more click in the middle of its longest doubtful stretch, and takes it in place of its points", () => {
    const doubted = withPath(drawn, { points: line(8), hidden: [], doubtful: [0, 3, 4, 5] });
    const stretch = findLongestDoubt(doubted);
    expect(stretch).toMatchObject({ first: 3, last: 6 });
    expect(stretch?.middle[0]).toBeCloseTo(22.5, 1);
    const { annotation, anchors } = withAnswer(doubted, present(stretch), [22, 4, 0]);
    expect(anchors).toEqual([3, 4, 5]);
    expect(place(annotation)).toEqual([...line(4), [22, 4, 0], [30, 0, 0], [35, 0, 0]]);
    expect(readStretches(annotation, "doubtful")).toEqual([0]);
    expect(findLongestDoubt(drawn)).toBeNull();
  });

  it("is cut where it is no longer seen, without a gap", () => {
    const smooth = createSmoothLine(line(8), 0.25);
    const parts = cutAtHidden(smooth, line(8), [2, 3, 6]);
    expect(parts.map(({ isSeen }) => isSeen)).toEqual([true, false, true, false]);
    expect(parts.map(({ line: own }) => Math.round(own.points[0][0]))).toEqual([0, 10, 20, 30]);
    parts.slice(1).forEach((part, at) => expect(part.line.points[0]).toEqual(parts[at].line.points.at(-1)));
    expect(cutAtHidden(smooth, line(8), [])).toEqual([{ line: smooth, isSeen: true }]);
  });
});
