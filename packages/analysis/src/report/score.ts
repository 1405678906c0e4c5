import { deciduousTeeth, permanentTeeth, placeOf } from "@arcada/contract/kernel/tooth";
import type { OralScore } from "@arcada/contract/report/report.shape";
import { stateOf } from "./tooth-state.ts";
import type { Judged, ToothState } from "./tooth-state.ts";

/** The positions that count: permanent teeth without the third molars. */
export const scoredTeeth: readonly number[] = permanentTeeth.filter((tooth) => placeOf(tooth) < 8);

/** Marcenes and Sheiham 1993: what a tooth is worth. */
const weights = { sound: 4, filled: 2, decayed: 1, missing: 0 } as const;

/**
 * Computes T-Health on a scale of 0 to 100, with DMFT and FS-T: 100 × (4 sound + 2 filled + 1 decayed) / (4 ×
 * positions), over the 28 positions less the unerupted ones. There is no score if any position is unassessed, and none
 * for patients with milk teeth, whose dmft is counted.
 */
export function oralScore(teeth: readonly Judged[]): OralScore {
  const byName = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const states = scoredTeeth.map((fdi) => stateOf(byName.get(fdi)));
  const of = (state: ToothState) => states.filter((one) => one === state).length;
  const hasMilk = deciduousTeeth.some((fdi) => isThere(byName.get(fdi)));
  const milk = hasMilk ? milkOf(byName) : null;
  const unknown = of("unknown");
  const base = { unknown, milk, score: null, counts: null, dmft: null, functioning: null };
  if (unknown > 0) return { ...base, why: hasMilk ? "deciduous" : "notAssessed" };
  const counts = {
    sound: of("sound"),
    filled: of("filled"),
    decayed: of("decayed"),
    missing: of("missing"),
    leftOut: of("unerupted"),
  };
  const { sound, filled, decayed, missing, leftOut } = counts;
  const known = {
    ...base,
    counts,
    dmft: { decayed, missing, filled, sum: decayed + missing + filled },
    functioning: sound + filled,
  };
  if (hasMilk) return { ...known, why: "deciduous" };
  const positions = scoredTeeth.length - leftOut;
  if (positions === 0) return { ...known, why: "noTeeth" };
  const worth = weights.sound * sound + weights.filled * filled + weights.decayed * decayed;
  return { ...known, score: Math.round((100 * worth) / (weights.sound * positions)), why: null };
}

/** dmft; null where a milk tooth that is there is not assessed. */
function milkOf(byName: ReadonlyMap<number, Judged>): OralScore["milk"] {
  const named = deciduousTeeth.flatMap((fdi) => byName.get(fdi) ?? []);
  if (named.some((tooth) => isThere(tooth) && stateOf(tooth) === "unknown")) return null;
  const of = (state: ToothState) => named.filter((tooth) => stateOf(tooth) === state).length;
  const [decayed, missing, filled] = [of("decayed"), of("missing"), of("filled")];
  return { decayed, missing, filled, sum: decayed + missing + filled };
}

const isThere = (tooth: Judged | undefined): boolean =>
  tooth !== undefined && tooth.confirmedBy !== null && (tooth.presence === "present" || tooth.presence === "root");
