import { Stack, Text, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { AnalysisDetail, SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import type { ImageGeometry } from "@arcada/contract/analysis/observation";
import { assessCodes, type CodeAssessment } from "@arcada/analysis/assess-observation-codes";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import { findingNames, type ChartContent } from "@arcada/contract/chart/chart.schema";
import { useCall } from "../data/use-call.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useLanguage, useTexts, type Translate } from "../i18n/texts.ts";
import styles from "./analysis-review.module.css";
import { MeasurementResults } from "./measurement-results.tsx";
import { EngineFacts } from "./engine-card.tsx";
import { isSuggestion, getCurrent, orderForReview, type Review } from "./review-decisions.ts";
import { Suggestions } from "./suggestions.tsx";
import { useReview } from "./use-review.ts";
import { getCodeName, getEngineName, translateDataset } from "./analysis-text.ts";
import { findingToCode, missingToothCode } from "@arcada/contract/analysis/observation";

interface ReviewShape {
  id: string;
  geometry: ImageGeometry;
  status: "measured" | "open" | "accepted" | "rejected";
  label: string;
}
interface Props {
  analysis: AnalysisDetail;
  renderImage: (shapes: readonly ReviewShape[], chosen: string | null, onChoose: (id: string) => void) => ReactNode;
  /** The next steps for a tooth, by its FDI number, that a dentist has confirmed as missing. */
  renderPlan: (patientId: string, fdi: number) => ReactNode;
}

/** The image with its findings, and next to it the suggestions to decide on and all other results as text. */
export function AnalysisReview({ analysis: stored, renderImage, renderPlan }: Props) {
  const t = useTexts("analysis", "chart");
  const language = useLanguage();
  const seen = stored.seen.map((one) => translateDataset(one, stored.info.card, language));
  const analysis = { ...stored, seen };
  const teeth = useToothNames();
  const { patientId } = analysis;
  const { data } = useCall(chartCalls.detail, { patientId: patientId ?? "" }, { enabled: patientId !== null });
  const chart = data?.content;
  const suggestions = orderForReview(analysis.seen.filter(isSuggestion), chart);
  const review = useReview(analysis, suggestions, chart);
  const chosen = getCurrent(review.review, suggestions)?.id ?? null;
  const shapes = analysis.seen.flatMap((one): ReviewShape[] =>
    one.geometry && one.geometry.kind !== "tube" && one.geometry.kind !== "solid"
      ? [{ id: one.id, geometry: one.geometry, status: getStatus(review.review, one), label: getLabel(one) }]
      : [],
  );
  function getLabel({ code, target }: SeenObservation): string {
    const tooth = target.kind === "tooth" ? teeth.name(target.fdi) : "";
    return code === "TOOTH_BOX" && tooth ? tooth : [getCodeName(t, code), tooth].filter(Boolean).join(" ");
  }
  return (
    <div className={styles.sides}>
      <div className={styles.picture} role="img" aria-label={t("analysis.result.picture")}>
        {renderImage(shapes, chosen, review.select)}
      </div>
      <Stack className={styles.words} gap="lg" tabIndex={0} role="region" aria-label={t("analysis.result.title")}>
        <p className={styles.reference}>{t("analysis.reference")}</p>
        <Suggestions {...{ suggestions, review }} />
        <MissingTeethPlans {...{ patientId, chart, suggestions, renderPlan }} />
        <MeasurementResults analysis={analysis} />
        <AssessedFindings analysis={analysis} />
        <details>
          <summary>{t("analysis.engine.card")}</summary>
          <EngineFacts info={analysis.info} signedBy={null} />
        </details>
      </Stack>
    </div>
  );
}

interface MissingTeethProps {
  patientId: string | null;
  chart: ChartContent | undefined;
  suggestions: readonly SeenObservation[];
  renderPlan: Props["renderPlan"];
}
/** The next steps for teeth that a dentist has confirmed as missing: an order, or a plan in the latest CT. */
function MissingTeethPlans({ patientId, chart, suggestions, renderPlan }: MissingTeethProps) {
  const t = useTexts("analysis", "chart");
  const missing = suggestions
    .flatMap(({ code, target, decision }) =>
      code === missingToothCode && target.kind === "tooth" && decision?.what === "accept" ? [target.fdi] : [],
    )
    .filter((fdi) => chart && findTooth(chart, fdi).presence === "missing");
  if (missing.length === 0 || patientId === null) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t("analysis.review.plan")}
      </Title>
      {missing.map((fdi) => (
        <Fragment key={fdi}>{renderPlan(patientId, fdi)}</Fragment>
      ))}
    </Stack>
  );
}

/** Lists every finding as seen, not seen by an engine that looks for it, or not assessed. */
function AssessedFindings({ analysis }: { analysis: AnalysisDetail }) {
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

function getStatus({ choices }: Review, one: SeenObservation): ReviewShape["status"] {
  if (!isSuggestion(one)) return "measured";
  const action = choices[one.id]?.action ?? one.decision?.what;
  if (action === undefined) return "open";
  return action === "reject" ? "rejected" : "accepted";
}
