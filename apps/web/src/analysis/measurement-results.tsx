import { Stack, Text, Title } from "@mantine/core";
import type { AnalysisDetail, SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { isQualityCode } from "@arcada/contract/analysis/observation";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useTexts } from "../i18n/texts.ts";
import styles from "./analysis-review.module.css";
import { isSuggestion } from "./review-decisions.ts";
import { getCodeName, formatConfidence, getTargetName, formatValue } from "./analysis-text.ts";

/** Measurements with their errors, the quality of the image, and unanswered questions with the reasons. */
export function MeasurementResults({ analysis: { seen, notAnswered } }: { analysis: AnalysisDetail }) {
  const t = useTexts("analysis", "chart");
  const teeth = useToothNames();
  // Sextants only locate other findings, tubes and solids are suggestions of a plan: neither is a measured value.
  const measurements = seen.filter(
    (one) =>
      !isSuggestion(one) &&
      one.code !== "PAN_SEXTANT" &&
      one.geometry?.kind !== "tube" &&
      one.geometry?.kind !== "solid",
  );
  const [quality, measured] = [true, false].map((isQuality) =>
    measurements.filter(({ code }) => isQualityCode(code) === isQuality),
  );
  return (
    <>
      {measured!.length > 0 && <MeasurementList title={t("analysis.result.measured")} rows={measured!} />}
      {quality!.length > 0 && <MeasurementList title={t("analysis.result.quality")} rows={quality!} />}
      {notAnswered.length > 0 && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {t("analysis.result.notAnswered")}
          </Title>
          <ul className={styles.rows}>
            {notAnswered.map(({ code, target, reason }, at) => (
              <li key={at}>
                <Text size="sm">
                  {[getCodeName(t, code), target.kind === "image" ? "" : getTargetName(t, teeth.name, { code, target })]
                    .filter(Boolean)
                    .join(" · ")}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`analysis.reason.${reason}`)}
                </Text>
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </>
  );
}

function MeasurementList({ title, rows }: { title: string; rows: readonly SeenObservation[] }) {
  const t = useTexts("analysis", "chart");
  const teeth = useToothNames();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <ul className={styles.rows}>
        {rows.map((one) => (
          <li key={one.id}>
            <Text size="sm">
              {[getCodeName(t, one.code), one.target.kind === "image" ? "" : getTargetName(t, teeth.name, one)]
                .filter(Boolean)
                .join(" · ")}{" "}
              <strong className="arcada-figures">{formatValue(t, one)}</strong>
            </Text>
            <Text size="xs" c="dimmed">
              {formatConfidence(t, one.confidence)}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
