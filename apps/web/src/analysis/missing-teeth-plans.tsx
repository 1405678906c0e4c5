import { Stack, Title } from "@mantine/core";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { missingToothCode } from "@arcada/contract/analysis/observation";
import { ToothPlanLinks } from "../chart/tooth-plan-links.tsx";
import { useTexts } from "../i18n/texts.ts";

interface Props {
  patientId: string | null;
  suggestions: readonly SeenObservation[];
}

/** What can be done about teeth that a dentist has confirmed as missing: an order, or a plan in the latest CT. */
export function MissingTeethPlans({ patientId, suggestions }: Props) {
  const t = useTexts("analysis", "chart");
  const missing = suggestions.flatMap(({ code, target, decision }) =>
    code === missingToothCode && target.kind === "tooth" && decision?.what === "accept" ? [target.fdi] : [],
  );
  if (missing.length === 0 || patientId === null) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t("analysis.review.plan")}
      </Title>
      {missing.map((fdi) => (
        <ToothPlanLinks key={fdi} patientId={patientId} tooth={{ fdi, presence: "missing" }} />
      ))}
    </Stack>
  );
}
