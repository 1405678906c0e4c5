import {
  codeToFinding,
  type Abstention,
  type EngineInfo,
  type Observation,
} from "@arcada/contract/analysis/observation";

/** An engine that examined an image, and its result; `observations` and `abstentions` are empty unless it completed. */
export interface EngineExamination {
  engine: Pick<EngineInfo, "id" | "version" | "kind" | "produces">;
  isDone: boolean;
  observations: readonly Pick<Observation, "code" | "value">[];
  abstentions: readonly Pick<Abstention, "code" | "reason">[];
}

interface Examiners {
  code: string;
  /** Indices in the given list of looks. */
  by: number[];
}
/**
 * The assessment of one code. "notSeen" is a negative result: it names the engines that looked for the code, at least
 * one.
 */
export type CodeAssessment =
  | ({ state: "seen" } & Examiners)
  | ({ state: "notSeen" } & Examiners)
  | ({ state: "abstained"; reasons: Abstention["reason"][] } & Examiners)
  | { state: "notAssessed"; code: string };

/**
 * Assesses each code from the engines' examinations in `examinations`. A negative result exists for findings only, and only if
 * an engine that declares the code completed its examination without seeing the finding and without abstaining from it.
 * A code that no engine looked for is "notAssessed".
 */
export const assessCodes = (codes: readonly string[], examinations: readonly EngineExamination[]): CodeAssessment[] =>
  codes.map((code) => {
    const indicesWhere = (test: (examination: EngineExamination) => boolean) =>
      examinations.flatMap((examination, index) => (examination.isDone && test(examination) ? [index] : []));
    const seen = indicesWhere((examination) =>
      examination.observations.some((observation) => observation.code === code && observation.value !== false),
    );
    if (seen.length > 0) return { state: "seen", code, by: seen };
    const notSeen = indicesWhere((examination) => hasExaminedFor(examination, code));
    if (notSeen.length > 0) return { state: "notSeen", code, by: notSeen };
    const abstained = indicesWhere((examination) => hasAbstained(examination, code));
    if (abstained.length === 0) return { state: "notAssessed", code };
    return { state: "abstained", code, by: abstained, reasons: abstentionReasons(abstained, examinations, code) };
  });

const hasAbstained = ({ abstentions }: EngineExamination, code: string): boolean =>
  abstentions.some((observation) => observation.code === code);
/** A measurement that is absent was not made; only findings that an engine looks for can be absent. */
const hasExaminedFor = (examination: EngineExamination, code: string): boolean =>
  codeToFinding(code) !== null && examination.engine.produces.includes(code) && !hasAbstained(examination, code);

const abstentionReasons = (
  indices: readonly number[],
  examinations: readonly EngineExamination[],
  code: string,
): Abstention["reason"][] => [
  ...new Set(
    indices.flatMap((index) =>
      examinations[index]!.abstentions.filter((observation) => observation.code === code).map(({ reason }) => reason),
    ),
  ),
];
