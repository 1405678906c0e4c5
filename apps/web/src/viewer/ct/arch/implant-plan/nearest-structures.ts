import { quadrantOf } from "@arcada/contract/kernel/tooth-numbers";
import { distance, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import {
  getDistanceLowerBound,
  measureCanalClearance,
  measureImplantClearance,
  measureRootClearance,
} from "@arcada/imaging/implant/clearance";
import type { NearestPoints } from "@arcada/imaging/implant/convex-shape-distance";
import type { ImplantBody, NerveCanal } from "@arcada/imaging/implant/implant-body";
import type { ToothRoot } from "@arcada/imaging/implant/tooth-root";
import { measureSpatialLineAngle } from "@arcada/imaging/view/measure-lengths-angles";

interface SidedTube {
  tube: NerveCanal;
  side: "right" | "left";
}
interface NamedRoot {
  root: ToothRoot;
  tooth: number | null;
}

export type CanalDistance = NearestPoints &
  Pick<SidedTube, "side"> & {
    /** True if the structure was found by measurement, and nobody has confirmed it. */
    isSuggested: boolean;
  };
/** `number`: the place of the other implant in the plan, from 1. */
export type ImplantDistance = NearestPoints & { degrees: number; number: number };
/** `number`: the place of the root in its list, from 1. */
export type RootDistance = NearestPoints & Pick<NamedRoot, "tooth"> & { number: number };

/** mm. The canal or the sinus of an implant's own side is nearer; a farther one says nothing about this implant. */
const farthestOwnSide = 30;

/** Only the structure of the implant's own side counts: the distance to the other one would reassure without reason. */
export function findNearestCanal(
  body: ImplantBody,
  tooth: number | null,
  drawn: readonly SidedTube[],
  suggested: readonly SidedTube[] = [],
): CanalDistance | null {
  const own = [...drawn, ...suggested].filter(({ side }) => tooth === null || side === sideOfTooth(tooth));
  const distances = own
    .map((canal) => ({
      ...measureCanalClearance(body, canal.tube),
      side: canal.side,
      isSuggested: suggested.includes(canal),
    }))
    .filter(({ mm }) => mm <= farthestOwnSide);
  return distances.toSorted((one, other) => one.mm - other.mm)[0] ?? null;
}

const sideOfTooth = (tooth: number): SidedTube["side"] => (quadrantOf(tooth).endsWith("Right") ? "right" : "left");

/** mm between the middles or the necks of two roots, at most, if they are of one tooth. */
const sameToothReach = 4;

/**
 * Returns the suggested teeth that nobody has drawn. A drawn root replaces only the suggestion that is nearest to it:
 * lower incisors stand less than 4 mm apart, and the neighbour's warning must not be lost.
 */
export function listUndrawnTeeth<T extends NamedRoot>(suggested: readonly T[], drawn: readonly NamedRoot[]): T[] {
  const replaced = new Set(
    drawn.map(({ root }) => {
      const reach = suggested.map((tooth) => ({ tooth, mm: measureRootOffset(root, tooth.root) }));
      const [nearest] = reach.toSorted((one, other) => one.mm - other.mm);
      return nearest && nearest.mm < sameToothReach ? nearest.tooth : null;
    }),
  );
  return suggested.filter((tooth) => !replaced.has(tooth));
}

function measureRootOffset(one: ToothRoot, other: ToothRoot): number {
  const middle = ({ neck, apex }: ToothRoot): Vector => times(plus(neck, apex), 0.5);
  return Math.min(distance(middle(one), middle(other)), distance(one.neck, other.neck));
}

export function findNearestImplant(body: ImplantBody, all: readonly ImplantBody[]): ImplantDistance | null {
  const others = all.flatMap((form, at) => (form === body ? [] : [{ form, number: at + 1 }]));
  const nearest = findNearest(body, others, measureImplantClearance);
  if (!nearest) return null;
  const { form, number, ...gap } = nearest;
  return { ...gap, number, degrees: measureSpatialLineAngle(body.head, body.apex, form.head, form.apex).value };
}

export function findNearestRoot(body: ImplantBody, roots: readonly NamedRoot[]): RootDistance | null {
  const all = roots.map(({ root, tooth }, at) => ({ form: root, tooth, number: at + 1 }));
  const nearest = findNearest(body, all, measureRootClearance);
  if (!nearest) return null;
  const { form: _form, ...gap } = nearest;
  return gap;
}

/** Skips the measurement of distant objects, because the drag of an implant waits for the result. */
function findNearest<F extends ImplantBody | ToothRoot, T extends { form: F }>(
  body: ImplantBody,
  all: readonly T[],
  measureDistance: (body: ImplantBody, form: F) => NearestPoints,
): (T & NearestPoints) | null {
  const near = all.map((each) => ({ each, least: getDistanceLowerBound(body, each.form) }));
  let best: (T & NearestPoints) | null = null;
  for (const { each, least } of near.toSorted((one, other) => one.least - other.least)) {
    if (best && least > best.mm) break;
    const gap = measureDistance(body, each.form);
    if (!best || gap.mm < best.mm) best = { ...each, ...gap };
  }
  return best;
}
