import { Badge, Group, Stack, Text } from "@mantine/core";
import { maxClaimError, detectionF1, missingPrecision, numberingF1 } from "@arcada/analysis/pack/engine-trial-figures";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { trialLimits } from "@arcada/contract/analysis/engine-trial";
import { formatDay, formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";

/** Shows whether an engine pack was tested on held-out images, by whom, and the results. */
export function EngineTrial({ trial }: { trial: EngineInfo["trial"] }) {
  const t = useTexts("analysis");
  if (!trial)
    return (
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge variant="light" color="gray" tt="none" flex="none">
          {t("analysis.trial.none")}
        </Badge>
        <Text size="xs" c="dimmed">
          {t("analysis.trial.noneText")}
        </Text>
      </Group>
    );
  const { figures, faults, by, at, set } = trial;
  const percent = (share: number | null): string => (share === null ? "–" : `${formatNumber(100 * share, 1)}\u00a0%`);
  const values = {
    images: figures.images,
    detection: percent(detectionF1(figures)),
    numbering: percent(numberingF1(figures)),
    missing: percent(missingPrecision(figures)),
    claims: percent(maxClaimError(figures)),
  };
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="light" color={faults.length === 0 ? "teal" : "red"} tt="none">
          {t(faults.length === 0 ? "analysis.trial.passed" : "analysis.trial.failed")}
        </Badge>
        <Text size="xs" c="dimmed">
          {t("analysis.trial.by", { name: by, day: formatDay(at), set: set.slice(0, 12) })}
        </Text>
      </Group>
      <Text size="xs">{t("analysis.trial.figures", values)}</Text>
      {faults.map((fault) => (
        <Text key={fault} size="xs" c="red">
          {t(`analysis.trial.fault.${fault}`, {
            images: trialLimits.images,
            detection: percent(trialLimits.detection),
            numbering: percent(trialLimits.numbering),
            claims: trialLimits.claims,
            error: percent(trialLimits.calibration),
          })}
        </Text>
      ))}
    </Stack>
  );
}
