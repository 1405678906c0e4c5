import { Text } from "@mantine/core";
import { assess, type Assessed } from "@arcada/analysis/assessed";
import type { AnalysisDetail } from "@arcada/contract/analysis/analysis.calls";
import { codeOfFinding } from "@arcada/contract/analysis/observation";
import { findingNames } from "@arcada/contract/chart/chart.shape";
import { useTexts, type Translate } from "../kernel/texts.ts";
import styles from "./analysis-review.module.css";
import { codeName, engineName } from "./words.ts";

/** Lists every finding as seen, not seen by an engine that looks for it, or not assessed. */
export function LookedFor({ analysis }: { analysis: AnalysisDetail }) {
  const t = useTexts("analysis", "chart");
  const { info, state, seen, notAnswered } = analysis;
  const look = { engine: info, isDone: state === "done", observations: seen, abstentions: notAnswered };
  return (
    <details>
      <summary>{t("analysis.result.lookedFor")}</summary>
      <ul className={styles.rows}>
        {assess(findingNames.map(codeOfFinding), [look]).map((said) => (
          <li key={said.code}>
            <Text size="sm">
              {codeName(t, said.code)}:{" "}
              <Text span c="dimmed" size="sm">
                {wordsOf(t, said, analysis)}
              </Text>
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}

const wordsOf = (t: Translate, { state }: Assessed, { engine }: AnalysisDetail): string =>
  t(`analysis.result.${state}`, { engine: engineName(t, engine) });
