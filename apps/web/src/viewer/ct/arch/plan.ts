import { allTeeth } from "@arcada/contract/kernel/tooth";
import type { Mark } from "@arcada/contract/study/mark";
import type { Body, Tube } from "@arcada/imaging/arch/body";
import { bodyClearance, canalClearance, leastBetween, rootClearance } from "@arcada/imaging/arch/clearance";
import type { Jaw } from "@arcada/imaging/arch/guess";
import { smoothLine, towards } from "@arcada/imaging/arch/line";
import type { NearestPlaces } from "@arcada/imaging/arch/nearest-places";
import type { Root } from "@arcada/imaging/arch/root";
import { spaceLineAngle } from "@arcada/imaging/view/measure";
import { distance, dot, plus, times, vectorOf, type Vector } from "@arcada/imaging/view/vector";

/** A nerve canal that a user has drawn. */
export interface Canal {
  mark: Mark;
  points: readonly Vector[];
  tube: Tube;
  side: "right" | "left";
}

/** A tooth's root that a user has drawn. */
export interface DrawnRoot {
  mark: Mark;
  root: Root;
  /** In FDI notation; null if nobody has named the tooth. */
  tooth: number | null;
}

/** A planned implant with its distances to structures that must not be touched; mm and degrees. */
export interface Implant {
  mark: Mark;
  body: Body;
  length: number;
  /** To the nearest canal; null without one. Negative if the implant is in it. */
  toCanal: (NearestPlaces & Pick<Canal, "side">) | null;
  /** To the nearest other implant; null without one. */
  toImplant: (NearestPlaces & { degrees: number; number: number }) | null;
  /** To the nearest drawn root, by its place among the roots from 1; null without one. */
  toRoot: (NearestPlaces & Pick<DrawnRoot, "tooth"> & { number: number }) | null;
}

export interface Plan {
  canals: readonly Canal[];
  implants: readonly Implant[];
  roots: readonly DrawnRoot[];
}

export const planTools = ["arch", "canal", "implant", "root"] as const;
export const isPlanMark = ({ tool }: Pick<Mark, "tool">): boolean => planTools.some((name) => name === tool);

export function planOf(marks: readonly Mark[]): Plan {
  const those = (tool: (typeof planTools)[number]) => marks.filter((mark) => mark.tool === tool);
  const canals = those("canal").map(canalFor);
  const roots = those("root").map(rootFor);
  const bodies = those("implant").map((mark) => ({ mark, body: bodyFor(mark) }));
  const implants = bodies.map(({ mark, body }): Implant => ({
    mark,
    body,
    length: distance(body.head, body.apex),
    toCanal: nearestCanal(body, canals),
    toImplant: nearestImplant(
      body,
      bodies.map((other) => other.body),
    ),
    toRoot: nearestRoot(body, roots),
  }));
  return { canals, implants, roots };
}

function nearestCanal(body: Body, canals: readonly Canal[]): Implant["toCanal"] {
  const gaps = canals.map(({ tube, side }) => ({ ...canalClearance(body, tube), side }));
  return gaps.toSorted((one, other) => one.mm - other.mm)[0] ?? null;
}

function nearestImplant(body: Body, all: readonly Body[]): Implant["toImplant"] {
  const others = all.flatMap((form, at) => (form === body ? [] : [{ form, number: at + 1 }]));
  const nearest = nearestOf(body, others, bodyClearance);
  if (!nearest) return null;
  const { form, number, ...gap } = nearest;
  return { ...gap, number, degrees: spaceLineAngle(body.head, body.apex, form.head, form.apex).value };
}

function nearestRoot(body: Body, roots: readonly DrawnRoot[]): Implant["toRoot"] {
  const all = roots.map(({ root, tooth }, at) => ({ form: root, tooth, number: at + 1 }));
  const nearest = nearestOf(body, all, rootClearance);
  if (!nearest) return null;
  const { form: _form, ...gap } = nearest;
  return gap;
}

/** Skips the measurement of distant objects, because the drag of an implant waits for the result. */
function nearestOf<F extends Body | Root, T extends { form: F }>(
  body: Body,
  all: readonly T[],
  gapTo: (body: Body, form: F) => NearestPlaces,
): (T & NearestPlaces) | null {
  const near = all.map((each) => ({ each, least: leastBetween(body, each.form) }));
  let best: (T & NearestPlaces) | null = null;
  for (const { each, least } of near.toSorted((one, other) => one.least - other.least)) {
    if (best && least > best.mm) break;
    const gap = gapTo(body, each.form);
    if (!best || gap.mm < best.mm) best = { ...each, ...gap };
  }
  return best;
}

/** Annotations are immutable: the object made from one stays valid, so that a drag recomputes only one. */
function keptFor<T>(make: (mark: Mark) => T): (mark: Mark) => T {
  const kept = new WeakMap<Mark, T>();
  return (mark) => {
    const known = kept.get(mark) ?? make(mark);
    kept.set(mark, known);
    return known;
  };
}

const finest = 0.25;

function canalOf(mark: Mark): Canal {
  const points = mark.points.map(vectorOf);
  return {
    mark,
    points,
    tube: { line: smoothLine(points, finest), radius: numberIn(mark, "diameter", canalDiameter) / 2 },
    side: mark.settings?.["side"] === "left" ? "left" : "right",
  };
}

function bodyOf(mark: Pick<Mark, "points" | "settings">): Body {
  const [head, apex] = [vectorOf(mark.points[0] ?? []), vectorOf(mark.points[1] ?? [])];
  const diameter = numberIn(mark, "diameter", firstSize.diameter);
  return { head, apex, shoulder: diameter / 2, tip: numberIn(mark, "tip", diameter) / 2 };
}

const canalFor = keptFor(canalOf);
const bodyFor = keptFor<Body>(bodyOf);
const rootFor = keptFor(rootOf);

function rootOf(mark: Mark): DrawnRoot {
  const [neck, apex] = [vectorOf(mark.points[0] ?? []), vectorOf(mark.points[1] ?? [])];
  const [wide, thin] = [numberIn(mark, "diameter", rootSize.diameter) / 2, numberIn(mark, "tip", rootSize.tip) / 2];
  const tooth = Number(mark.text);
  return { mark, root: { neck, apex, wide, thin }, tooth: allTeeth.includes(tooth) ? tooth : null };
}

/** mm; the diameters of a root's ends until the user sets them. */
export const rootSize = { diameter: 5, tip: 2 } as const;

function numberIn({ settings }: Pick<Mark, "settings">, name: string, otherwise: number): number {
  const value = settings?.[name];
  return typeof value === "number" && value > 0 ? value : otherwise;
}

/** mm; the initial diameter of a canal. */
const canalDiameter = 2.5;

export interface ImplantSize {
  diameter: number;
  length: number;
  isCone: boolean;
}

export const firstSize: ImplantSize = { diameter: 4.1, length: 10, isCone: false };
/** Sizes that most implant systems have; any other may be typed. mm. */
export const commonDiameters = [3.3, 3.5, 3.75, 4.1, 4.3, 4.5, 4.8, 5, 6];
export const commonLengths = [6, 7, 8, 8.5, 10, 11.5, 12, 13, 14, 16];
const coneTip = 0.6;

export const sizeOf = ({ body, length }: Pick<Implant, "body" | "length">): ImplantSize => ({
  diameter: body.shoulder * 2,
  length,
  isCone: body.tip < body.shoulder,
});

/** The implant in another size: its shoulder and its direction are kept. */
export function resized<M extends Pick<Mark, "points" | "settings">>(mark: M, size: ImplantSize): M {
  const { head, apex } = bodyOf(mark);
  const tip = plus(head, times(towards(head, apex), size.length));
  return {
    ...mark,
    points: [[...head], [...tip]],
    settings: { ...mark.settings, diameter: size.diameter, tip: size.diameter * (size.isCone ? coneTip : 1) },
  };
}

/** Moves one of its points: the shoulder moves the implant, the tip rotates it about the shoulder. */
export function implantMoved(mark: Mark, index: number, to: Vector): Mark {
  const { head, apex } = bodyOf(mark);
  const length = distance(head, apex);
  const by = plus(to, times(head, -1));
  if (index === 0) return { ...mark, points: [[...to], [...plus(apex, by)]] };
  return { ...mark, points: [[...head], [...plus(head, times(towards(head, to), length))]] };
}

/** A new implant as drawn: from its shoulder towards its tip, or upright in its jaw if only one point was set. */
export function implantDrawn<M extends Pick<Mark, "points" | "settings">>(
  mark: M,
  size: ImplantSize,
  jaw: Jaw,
  up: Vector,
): M {
  const { head, apex } = bodyOf(mark);
  const isSet = distance(head, apex) < 1;
  const inwards = times(up, jaw === "upper" ? 1 : -1);
  const points = [[...head], [...(isSet ? plus(head, inwards) : apex)]];
  return resized({ ...mark, points }, size);
}

/** True if an implant is in the upper jaw: its tip is above its head. */
export const isUpper = ({ body: { head, apex } }: Pick<Implant, "body">, up: Vector): boolean =>
  dot(towards(head, apex), up) > 0;

/** Inserts a point into a line of control points: between the two that it is nearest to, or beyond an end. */
export function withPoint(points: readonly Vector[], added: Vector): readonly Vector[] {
  // A double click arrives as two.
  if (points.some((point) => distance(point, added) < 1)) return points;
  let [best, least] = [points.length, Infinity];
  for (let at = 0; at <= points.length; at++) {
    const [before, after] = [points[at - 1], points[at]];
    const detour =
      before && after
        ? distance(before, added) + distance(added, after) - distance(before, after)
        : distance(before ?? after ?? added, added);
    if (detour >= least) continue;
    [best, least] = [at, detour];
  }
  return points.toSpliced(best, 0, added);
}
