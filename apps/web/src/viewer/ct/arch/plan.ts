import type { Mark } from "@arcada/contract/study/mark";
import { bodyGap, canalGap, type Body, type Tube } from "@arcada/imaging/arch/body";
import type { Jaw } from "@arcada/imaging/arch/guess";
import { smoothLine, towards } from "@arcada/imaging/arch/line";
import { spaceLineAngle } from "@arcada/imaging/view/measure";
import { distance, plus, times, vectorOf, type Vector } from "@arcada/imaging/view/vector";

/** A nerve canal that somebody has drawn. */
export interface Canal {
  mark: Mark;
  points: readonly Vector[];
  tube: Tube;
  side: "right" | "left";
}

/** An implant that somebody has planned, and how near it comes to what must not be touched; mm and degrees. */
export interface Implant {
  mark: Mark;
  body: Body;
  length: number;
  /** Null without a canal. */
  toCanal: number | null;
  /** To the nearest other implant; null without one. */
  toImplant: { mm: number; degrees: number; number: number } | null;
}

export interface Plan {
  canals: readonly Canal[];
  implants: readonly Implant[];
}

export const planTools = ["arch", "canal", "implant"] as const;
export const isPlanMark = ({ tool }: Pick<Mark, "tool">): boolean => planTools.some((name) => name === tool);

export function planOf(marks: readonly Mark[]): Plan {
  const canals = marks.filter(({ tool }) => tool === "canal").map(canalOf);
  const bodies = marks.filter(({ tool }) => tool === "implant").map((mark) => ({ mark, body: bodyOf(mark) }));
  const implants = bodies.map(({ mark, body }): Implant => {
    const gaps = canals.map(({ tube }) => canalGap(body, tube));
    return {
      mark,
      body,
      length: distance(body.head, body.apex),
      toCanal: gaps.length > 0 ? Math.min(...gaps) : null,
      toImplant: nearestOf(
        body,
        bodies.map((other) => other.body),
      ),
    };
  });
  return { canals, implants };
}

function nearestOf(body: Body, all: readonly Body[]): Implant["toImplant"] {
  const others = all.flatMap((other, at) =>
    other === body
      ? []
      : [
          {
            mm: bodyGap(body, other),
            degrees: spaceLineAngle(body.head, body.apex, other.head, other.apex).value,
            number: at + 1,
          },
        ],
  );
  return others.toSorted((one, other) => one.mm - other.mm)[0] ?? null;
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

function numberIn({ settings }: Pick<Mark, "settings">, name: string, otherwise: number): number {
  const value = settings?.[name];
  return typeof value === "number" && value > 0 ? value : otherwise;
}

/** mm; what a canal is drawn with until somebody says otherwise. */
const canalDiameter = 2.5;

export interface ImplantSize {
  diameter: number;
  length: number;
  isCone: boolean;
}

export const firstSize: ImplantSize = { diameter: 4.1, length: 10, isCone: false };
/** Sizes that most systems have; any other may be typed. mm. */
export const commonDiameters = [3.3, 3.5, 3.75, 4.1, 4.3, 4.5, 4.8, 5, 6];
export const commonLengths = [6, 7, 8, 8.5, 10, 11.5, 12, 13, 14, 16];
const coneTip = 0.6;

export const sizeOf = ({ body, length }: Pick<Implant, "body" | "length">): ImplantSize => ({
  diameter: body.shoulder * 2,
  length,
  isCone: body.tip < body.shoulder,
});

/** The implant in another size: its shoulder and its direction stay. */
export function resized<M extends Pick<Mark, "points" | "settings">>(mark: M, size: ImplantSize): M {
  const { head, apex } = bodyOf(mark);
  const tip = plus(head, times(towards(head, apex), size.length));
  return {
    ...mark,
    points: [[...head], [...tip]],
    settings: { ...mark.settings, diameter: size.diameter, tip: size.diameter * (size.isCone ? coneTip : 1) },
  };
}

/** One of its points was moved: the shoulder takes the implant along, the tip turns it about the shoulder. */
export function implantMoved(mark: Mark, index: number, to: Vector): Mark {
  const { head, apex } = bodyOf(mark);
  const length = distance(head, apex);
  const by = plus(to, times(head, -1));
  if (index === 0) return { ...mark, points: [[...to], [...plus(apex, by)]] };
  return { ...mark, points: [[...head], [...plus(head, times(towards(head, to), length))]] };
}

/** A new implant as it was drawn: from its shoulder towards its tip, or upright in its jaw where it was only set down. */
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

/**
 * mm that are called safe. Canal: 2 mm (G. Greenstein, D. Tarnow, "The mental foramen and nerve", J Periodontol 2006);
 * between implants: 3 mm (D. Tarnow, S. Cho, S. Wallace, "The effect of inter-implant distance on the height of
 * inter-implant bone crest", J Periodontol 2000).
 */
export const safeGaps = { canal: 2, implants: 3 } as const;

export interface Gaps {
  canal: number;
  implants: number;
}

export const isTooNear = ({ toCanal, toImplant }: Implant, gaps: Gaps): boolean =>
  (toCanal !== null && toCanal < gaps.canal) || (toImplant !== null && toImplant.mm < gaps.implants);

/** Where along a line of control points one more belongs: between the two that it lies nearest to, or beyond an end. */
export function withPoint(points: readonly Vector[], added: Vector): readonly Vector[] {
  // A double click comes as two.
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
