import { deciduousTeeth, permanentTeeth, positionInQuadrant } from "@arcada/contract/kernel/tooth-numbers";
import type { OralScore } from "@arcada/contract/report/report.schema";
import { toothStateOf } from "./tooth-state.ts";
import type { ExaminedTooth, ToothState } from "./tooth-state.ts";

/** The positions that count: permanent teeth without the third molars. */
export const scoredTeeth: readonly number[] = permanentTeeth.filter((tooth) => positionInQuadrant(tooth) < 8);

/** Marcenes and Sheiham 1993: what a tooth is worth. */
const weights = { sound: 4, filled: 2, decayed: 1, missing: 0 } as const;

/**
 * Computes T-Health on a scale of 0 to 100, with DMFT and FS-T: 100 × (4 sound + 2 filled + 1 decayed) / (4 ×
 * positions), over the 28 positions less the unerupted ones. There is no score if any position is unassessed, and none
 * for patients with milk teeth, whose dmft is counted.
 */
export function computeOralScore(teeth: readonly ExaminedTooth[]): OralScore {
  const byFdi = new Map(teeth.map((tooth) => [tooth.fdi, tooth]));
  const states = scoredTeeth.map((fdi) => toothStateOf(byFdi.get(fdi)));
  const countState = (state: ToothState) => states.filter((one) => one === state).length;
  const hasDeciduous = deciduousTeeth.some((fdi) => isPresent(byFdi.get(fdi)));
  const deciduous = hasDeciduous ? deciduousScore(byFdi) : null;
  const unknown = countState("unknown");
  const unscored = { unknown, milk: deciduous, score: null, counts: null, dmft: null, functioning: null };
  if (unknown > 0) return { ...unscored, why: hasDeciduous ? "deciduous" : "notAssessed" };
  const counts = {
    sound: countState("sound"),
    filled: countState("filled"),
    decayed: countState("decayed"),
    missing: countState("missing"),
    leftOut: countState("unerupted"),
  };
  const { sound, filled, decayed, missing, leftOut } = counts;
  const known = {
    ...unscored,
    counts,
    dmft: { decayed, missing, filled, sum: decayed + missing + filled },
    functioning: sound + filled,
  };
  if (hasDeciduous) return { ...known, why: "deciduous" };
  const positions = scoredTeeth.length - leftOut;
  if (positions === 0) return { ...known, why: "noTeeth" };
  const weightedSum = weights.sound * sound + weights.filled * filled + weights.decayed * decayed;
  return { ...known, score: Math.round((100 * weightedSum) / (weights.sound * positions)), why: null };
}

/** dmft; null where a milk tooth that is there is not assessed. */
function deciduousScore(byFdi: ReadonlyMap<number, ExaminedTooth>): OralScore["milk"] {
  const namedTeeth = deciduousTeeth.flatMap((fdi) => byFdi.get(fdi) ?? []);
  if (namedTeeth.some((tooth) => isPresent(tooth) && toothStateOf(tooth) === "unknown")) return null;
  const countState = (state: ToothState) => namedTeeth.filter((tooth) => toothStateOf(tooth) === state).length;
  const [decayed, missing, filled] = [countState("decayed"), countState("missing"), countState("filled")];
  return { decayed, missing, filled, sum: decayed + missing + filled };
}

const isPresent = (tooth: ExaminedTooth | undefined): boolean =>
  tooth !== undefined && tooth.confirmedBy !== null && (tooth.presence === "present" || tooth.presence === "root");
