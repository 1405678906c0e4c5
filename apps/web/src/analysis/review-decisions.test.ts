import { expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { blankTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartContent, Presence } from "@arcada/contract/chart/chart.schema";
import {
  choose,
  toDecisions,
  getCurrent,
  emptyReview,
  isContradicted,
  listConfirmable,
  listOpen,
  orderForReview,
  toConfirmation,
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

const tooth = (id: string, p: number, code = "TOOTH_BOX"): SeenObservation => ({
  ...present(seen[0]),
  id,
  code,
  target: { kind: "tooth", fdi: 16 },
  confidence: { basis: "calibrated", p, n: 400, set: "drawn films" },
});
const others = Array.from({ length: 20 }, (_, index) => tooth(`low ${index}`, 0.5));
const noChart: ChartContent = { teeth: [] };
const found = [tooth("sure", 0.97), tooth("unsure", 0.9), tooth("gap", 0.98, "TOOTH_MISSING"), tooth("also", 0.95)];

it("confirms certain teeth together, and neither uncertain ones nor a missing tooth", () => {
  expect(orderForReview(found, noChart).map(({ id }) => id)).toEqual(["unsure", "gap", "sure", "also"]);
  expect(listConfirmable(emptyReview, [...found, ...others], noChart).map(({ id }) => id)).toEqual(["sure", "also"]);
});

it("leaves a tooth of which the chart says something else to a look, and confirms none without the chart", () => {
  const chart = (presence: Presence): ChartContent => ({ teeth: [{ ...blankTooth(16), presence }] });
  const idsOf = (content: ChartContent | undefined) =>
    listConfirmable(emptyReview, [...found, ...others], content).map(({ id }) => id);
  expect([idsOf(chart("missing")), idsOf(chart("implant")), idsOf(undefined)]).toEqual([[], [], []]);
  expect(idsOf(chart("impacted"))).toEqual(["sure", "also"]);
  const [gap, sure] = ["gap", "sure"].map((id) => present(found.find((one) => one.id === id)));
  expect([gap, sure].map((one) => isContradicted(chart("present"), present(one)))).toEqual([true, false]);
});

it("confirms nothing together on a film that shows few teeth", () => {
  expect(listConfirmable(emptyReview, found, noChart)).toEqual([]);
});

it("sends a correction that was made first and accepts the rest with it", () => {
  const review = choose({ ...emptyReview, at: "sure" }, found, { action: "renumber", fdi: 17 });
  expect(toConfirmation(review, [...found, ...others], noChart)).toEqual([
    { observationId: "sure", action: "renumber", fdi: 17 },
    { observationId: "also", action: "accept" },
  ]);
});

it("takes a calibrated share of 95 % as certain, and neither a bare score nor an answer about no tooth", () => {
  const score = { ...tooth("score", 0), confidence: { basis: "score" as const, value: 0.99 } };
  const unknown = { ...tooth("unknown", 0), confidence: { basis: "none" as const } };
  const image = { ...tooth("image", 0.99), target: { kind: "image" as const } };
  const certain = listConfirmable(
    emptyReview,
    [tooth("0.95", 0.95), tooth("0.94", 0.94), score, unknown, image, ...others],
    noChart,
  );
  expect(certain.map(({ id }) => id)).toEqual(["0.95"]);
});
