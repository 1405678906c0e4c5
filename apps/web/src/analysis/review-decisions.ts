import type { Input } from "@arcada/contract/kernel/call";
import type { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { canConfirmTogether, confirmRules } from "@arcada/contract/analysis/confirmable-suggestions";
import { contradictsChart } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { codeToFinding, isToothCode } from "@arcada/contract/analysis/observation";

type Decisions = Input<typeof chartCalls.decide>["decisions"];
export type ChosenFinding = Extract<Decisions[number], { action: "edit" }>["finding"];
/** The decision on a suggestion. It does not change the chart yet. */
export type Choice =
  | { action: "accept" }
  | { action: "edit"; finding: ChosenFinding }
  /** The tooth is there, under another number. */
  | { action: "renumber"; fdi: number }
  | { action: "reject"; reason: string | null };

export interface Review {
  /** The selected suggestion. */
  at: string | null;
  choices: Record<string, Choice>;
  /** The order of the choices, for undoing. */
  order: string[];
}
export const emptyReview: Review = { at: null, choices: {}, order: [] };

/** True for an observation that a dentist decides on. Everything else is a measurement. */
export const isSuggestion = ({ code }: Pick<SeenObservation, "code">): boolean =>
  isToothCode(code) || codeToFinding(code) !== null;

/** True for a finding, and for a tooth, whose number can be corrected. A place without a tooth is accepted or rejected. */
export const canEdit = (one: Pick<SeenObservation, "code"> | undefined): boolean =>
  one !== undefined && (one.code === "TOOTH_BOX" || codeToFinding(one.code) !== null);

/** Returns true for an undecided suggestion about a tooth of which the chart says something else. */
export const isContradicted = (chart: ChartContent | undefined, { code, target, decision }: SeenObservation): boolean =>
  chart !== undefined && target.kind === "tooth" && !decision && contradictsChart(chart, code, target.fdi);

/** Returns true for what one key confirms: a certain tooth of which the chart says nothing else. */
export const isCertain = (chart: ChartContent | undefined, one: SeenObservation): boolean =>
  canConfirmTogether(one) && !isContradicted(chart, one);

/** Returns what needs a look first; the suggestions that one key confirms follow. */
export const orderForReview = (seen: readonly SeenObservation[], chart: ChartContent | undefined): SeenObservation[] =>
  seen.toSorted((one, other) => Number(isCertain(chart, one)) - Number(isCertain(chart, other)));

const isOpen = (review: Review, { id, decision }: SeenObservation): boolean => !decision && !review.choices[id];

export const listOpen = (review: Review, seen: readonly SeenObservation[]): SeenObservation[] =>
  seen.filter((one) => isOpen(review, one));

/**
 * Returns the suggestions that one key confirms: certain ones that nobody has decided or chosen about; none until the
 * chart is here, which may say something else, and none of an image that shows few teeth.
 */
export const listConfirmable = (
  review: Review,
  seen: readonly SeenObservation[],
  chart: ChartContent | undefined,
): SeenObservation[] =>
  chart && seen.filter(({ code }) => code === "TOOTH_BOX").length >= confirmRules.leastTeeth
    ? listOpen(review, seen).filter((one) => isCertain(chart, one))
    : [];

/** Returns the decisions that one key sends: those made one by one, and the acceptance of all certain teeth. */
export const toConfirmation = (
  review: Review,
  seen: readonly SeenObservation[],
  chart: ChartContent | undefined,
): Decisions => [
  ...toDecisions(review),
  ...listConfirmable(review, seen, chart).map(({ id }) => ({ action: "accept" as const, observationId: id })),
];

/** Returns the current suggestion: the selected one, else the first open one, else the first. */
export const getCurrent = (review: Review, seen: readonly SeenObservation[]): SeenObservation | undefined =>
  seen.find(({ id }) => id === review.at) ?? listOpen(review, seen)[0] ?? seen[0];

/** Stores the choice and moves on to the next open suggestion. */
export function choose(review: Review, seen: readonly SeenObservation[], choice: Choice): Review {
  const current = getCurrent(review, seen);
  if (!current) return review;
  const next = {
    ...review,
    choices: { ...review.choices, [current.id]: choice },
    order: [...review.order.filter((id) => id !== current.id), current.id],
  };
  const from = seen.indexOf(current);
  const nextOpen = [...seen.slice(from + 1), ...seen.slice(0, from)].find((one) => isOpen(next, one));
  return { ...next, at: (nextOpen ?? current).id };
}

/** Reverts the last choice and selects its suggestion. */
export function undo(review: Review): Review {
  const last = review.order.at(-1);
  if (last === undefined) return review;
  const { [last]: _, ...choices } = review.choices;
  return { at: last, choices, order: review.order.slice(0, -1) };
}

export function moveBy(review: Review, seen: readonly SeenObservation[], by: 1 | -1): Review {
  const current = getCurrent(review, seen);
  if (!current) return review;
  return { ...review, at: seen[(seen.indexOf(current) + by + seen.length) % seen.length]!.id };
}

/** Returns the decisions for the chart, in the order of the choices. */
export const toDecisions = ({ choices, order }: Review): Decisions =>
  order.map((observationId) => ({ observationId, ...choices[observationId]! }));

export type ReviewKey = "confirm" | "accept" | "edit" | "reject" | "undo" | "next" | "previous";
const keyMap: Readonly<Record<string, ReviewKey>> = {
  Enter: "confirm",
  a: "accept",
  e: "edit",
  r: "reject",
  u: "undo",
  ArrowRight: "next",
  ArrowDown: "next",
  ArrowLeft: "previous",
  ArrowUp: "previous",
};
type PressedKey = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;
export const parseReviewKey = ({ key, ctrlKey, metaKey, altKey }: PressedKey): ReviewKey | null =>
  ctrlKey || metaKey || altKey ? null : (keyMap[key] ?? keyMap[key.toLowerCase()] ?? null);
