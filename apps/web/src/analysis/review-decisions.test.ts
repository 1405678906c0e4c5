import { expect, it } from "vitest";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import {
  choose,
  toDecisions,
  getCurrent,
  emptyReview,
  listOpen,
  parseReviewKey,
  moveBy,
  undo,
  type Choice,
} from "./review-decisions.ts";

const seen = ["one", "two", "three"].map((id): SeenObservation => ({
  id,
  code: "FINDING_caries",
  target: { kind: "tooth", fdi: 16 },
  value: true,
  unit: null,
  geometry: null,
  confidence: { basis: "none" },
  method: "boxes@1",
  decision: null,
}));
const accept: Choice = { action: "accept" };
const reject: Choice = { action: "reject", reason: null };

it("decides each suggestion with one key, and can undo every decision until it is saved to the chart", () => {
  let review = choose(emptyReview, seen, accept);
  expect(getCurrent(review, seen)?.id).toBe("two");
  review = choose(moveBy(review, seen, 1), seen, reject);
  expect(listOpen(review, seen).map(({ id }) => id)).toEqual(["two"]);
  expect(toDecisions(review)).toEqual([
    { observationId: "one", action: "accept" },
    { observationId: "three", action: "reject", reason: null },
  ]);
  review = undo(review);
  expect([getCurrent(review, seen)?.id, listOpen(review, seen).length]).toEqual(["three", 2]);
  review = undo(undo(undo(review)));
  expect([toDecisions(review), listOpen(review, seen).length]).toEqual([[], 3]);
});

it("skips suggestions that were decided earlier, and allows another decision on them", () => {
  const decided = seen.with(0, {
    ...seen[0],
    decision: { what: "reject", by: "Dr Lin", at: "2026-01-01T00:00:00Z", reason: null },
  });
  expect(getCurrent(emptyReview, decided)?.id).toBe("two");
  const other = choose(moveBy(emptyReview, decided, -1), decided, accept);
  expect(toDecisions(other)).toEqual([{ observationId: "one", action: "accept" }]);
});

it("accepts letter keys in either case and ignores the browser's own shortcuts", () => {
  const press = (key: string, ctrlKey = false) => parseReviewKey({ key, ctrlKey, metaKey: false, altKey: false });
  expect(["a", "E", "r", "U", "ArrowRight", "ArrowUp", "x"].map((key) => press(key))).toEqual([
    "accept",
    "edit",
    "reject",
    "undo",
    "next",
    "previous",
    null,
  ]);
  expect(press("a", true)).toBe(null);
});
