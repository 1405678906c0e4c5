import { getOutwardAxis, measureAxisAngle } from "@arcada/imaging/implant/implant-parts";
import type { Implant } from "./implant-plan.ts";

/** The angle between the axes of two implants, by their numbers from 1. */
export interface ImplantPair {
  one: number;
  other: number;
  degrees: number;
}

/** Every pair of implants of one jaw: those of the other jaw point the other way. */
export const listImplantPairs = (implants: readonly Pick<Implant, "body">[]): ImplantPair[] =>
  implants.flatMap((implant, at) =>
    implants.slice(at + 1).flatMap((next, after) => {
      const degrees = measureAxisAngle(getOutwardAxis(implant.body), getOutwardAxis(next.body));
      return degrees > 90 ? [] : [{ one: at + 1, other: at + after + 2, degrees }];
    }),
  );
