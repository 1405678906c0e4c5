import {
  findingOfCode,
  type Abstention,
  type EngineInfo,
  type Observation,
} from "@arcada/contract/analysis/observation";

/** An engine that looked at an image, and what came of it; `observations` and `abstentions` are empty unless it ended well. */
export interface Look {
  engine: Pick<EngineInfo, "id" | "version" | "kind" | "produces">;
  isDone: boolean;
  observations: readonly Pick<Observation, "code" | "value">[];
  abstentions: readonly Pick<Abstention, "code" | "reason">[];
}

interface By {
  code: string;
  /** Places of the looks in what was given. */
  by: number[];
}
/** What may be said of a code. "notSeen" is a negative: it names the engines that looked for it, and there is one at least. */
export type Assessed =
  | ({ state: "seen" } & By)
  | ({ state: "notSeen" } & By)
  | ({ state: "abstained"; reasons: Abstention["reason"][] } & By)
  | { state: "notAssessed"; code: string };

/**
 * What these looks say of each code. A negative is said of findings alone, and only where an engine that declares the code
 * ended its look without seeing it and without abstaining from it; what nobody looked for is not assessed.
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
/** A measure that is absent was not measured; only what is looked for can be absent. */
const hasLookedFor = (look: Look, code: string): boolean =>
  findingOfCode(code) !== null && look.engine.produces.includes(code) && !abstains(look, code);

const reasonsOf = (by: readonly number[], looks: readonly Look[], code: string): Abstention["reason"][] => [
  ...new Set(by.flatMap((at) => looks[at]!.abstentions.filter((one) => one.code === code).map(({ reason }) => reason))),
];
