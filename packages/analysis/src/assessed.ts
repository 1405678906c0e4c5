import {
  findingOfCode,
  type Abstention,
  type EngineInfo,
  type Observation,
} from "@arcada/contract/analysis/observation";

/** An engine that examined an image, and its result; `observations` and `abstentions` are empty unless it completed. */
export interface Look {
  engine: Pick<EngineInfo, "id" | "version" | "kind" | "produces">;
  isDone: boolean;
  observations: readonly Pick<Observation, "code" | "value">[];
  abstentions: readonly Pick<Abstention, "code" | "reason">[];
}

interface By {
  code: string;
  /** Indices in the given list of looks. */
  by: number[];
}
/**
 * The assessment of one code. "notSeen" is a negative result: it names the engines that looked for the code, at least
 * one.
 */
export type Assessed =
  | ({ state: "seen" } & By)
  | ({ state: "notSeen" } & By)
  | ({ state: "abstained"; reasons: Abstention["reason"][] } & By)
  | { state: "notAssessed"; code: string };

/**
 * Assesses each code from the engines' examinations in `looks`. A negative result exists for findings only, and only if
 * an engine that declares the code completed its examination without seeing the finding and without abstaining from it.
 * A code that no engine looked for is "notAssessed".
 */
export const assess = (codes: readonly string[], looks: readonly Look[]): Assessed[] =>
  codes.map((code) => {
    const found = (test: (look: Look) => boolean) =>
      looks.flatMap((look, at) => (look.isDone && test(look) ? [at] : []));
    const seen = found((look) => look.observations.some((one) => one.code === code && one.value !== false));
    if (seen.length > 0) return { state: "seen", code, by: seen };
    const notSeen = found((look) => hasLookedFor(look, code));
    if (notSeen.length > 0) return { state: "notSeen", code, by: notSeen };
    const abstained = found((look) => abstains(look, code));
    if (abstained.length === 0) return { state: "notAssessed", code };
    return { state: "abstained", code, by: abstained, reasons: reasonsOf(abstained, looks, code) };
  });

const abstains = ({ abstentions }: Look, code: string): boolean => abstentions.some((one) => one.code === code);
/** A measurement that is absent was not made; only findings that an engine looks for can be absent. */
const hasLookedFor = (look: Look, code: string): boolean =>
  findingOfCode(code) !== null && look.engine.produces.includes(code) && !abstains(look, code);

const reasonsOf = (by: readonly number[], looks: readonly Look[], code: string): Abstention["reason"][] => [
  ...new Set(by.flatMap((at) => looks[at]!.abstentions.filter((one) => one.code === code).map(({ reason }) => reason))),
];
