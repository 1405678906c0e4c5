import { Text } from "@mantine/core";
import { assessCodes, type CodeAssessment } from "@arcada/analysis/assess-codes";
import type { AnalysisDetail } from "@arcada/contract/analysis/analysis.calls";
import { findingToCode } from "@arcada/contract/analysis/observation";
import { findingNames } from "@arcada/contract/chart/chart.schema";
import { useTexts, type Translate } from "../i18n/texts.ts";
import styles from "./analysis-review.module.css";
import { getCodeName, getEngineName } from "./analysis-text.ts";

/** Lists every finding as seen, not seen by an engine that looks for it, or not assessed. */
export function AssessedFindings({ analysis }: { analysis: AnalysisDetail }) {
  const t = useTexts("analysis", "chart");
  const { info, state, seen, notAnswered } = analysis;
  const engineRun = { engine: info, isDone: state === "done", observations: seen, abstentions: notAnswered };
  return (
    <details>
      <summary>{t("analysis.result.lookedFor")}</summary>
      <ul className={styles.rows}>
        {assessCodes(findingNames.map(findingToCode), [engineRun]).map((assessed) => (
          <li key={assessed.code}>
            <Text size="sm">
              {getCodeName(t, assessed.code)}:{" "}
              <Text span c="dimmed" size="sm">
                {describeState(t, assessed, analysis)}
              </Text>
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}

const describeState = (t: Translate, { state }: CodeAssessment, { engine }: AnalysisDetail): string =>
  t(`analysis.result.${state}`, { engine: getEngineName(t, engine) });
