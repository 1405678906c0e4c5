import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconChecks } from "@tabler/icons-react";
import { analysisCalls, type AnalysisRow } from "@arcada/contract/analysis/analysis.calls";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { toast } from "../browser/toast.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { getAnalysisName } from "./analysis-text.ts";
import { emptyReview, listConfirmable } from "./review-decisions.ts";
import classes from "./found-teeth.module.css";

/** Teeth that an engine found and nobody has decided on, above the chart that they would fill. */
export function FoundTeeth({ patientId }: { patientId: string }) {
  const mayDecide = useCanAccess(chartCalls.decide);
  const { data } = useCall(analysisCalls.list, { patientId });
  // The newest film that a learned engine has answered counts; older suggestions are still among the analyses.
  const found = data?.find(
    ({ state, studyKind, engine }) => state === "done" && studyKind === "panorama" && engine.kind !== "measurement",
  );
  if (!mayDecide || !found || found.open === 0) return null;
  return <FoundOnFilm patientId={patientId} analysis={found} />;
}

function FoundOnFilm({ patientId, analysis }: { patientId: string; analysis: AnalysisRow }) {
  const t = useTexts("analysis");
  const { data: detail } = useCall(analysisCalls.detail, { id: analysis.id });
  const decide = useCommand(chartCalls.decide);
  const { data: chart } = useCall(chartCalls.detail, { patientId });
  const certain = listConfirmable(emptyReview, detail?.seen ?? [], chart?.content);
  const confirm = async () => {
    const decisions = certain.map(({ id }) => ({ action: "accept" as const, observationId: id }));
    if (!(await decide.run({ patientId, decisions }))) return;
    notifyCommandSuccess(analysisCalls.list);
    toast("success", t("analysis.review.confirmed", { count: certain.length }));
  };
  return (
    <div className={classes.strip}>
      <Stack gap={2} miw={0} flex="1 1 260px">
        <Title order={2} size="h4">
          {t("analysis.found.title", { day: formatDay(analysis.takenAt ?? analysis.createdAt) })}
        </Title>
        <Text size="sm">{t("analysis.found.text", { engine: getAnalysisName(t, analysis) })}</Text>
      </Stack>
      <Group gap="sm">
        <Button component={ScreenLink} screen="analysis" search={{ id: analysis.id }} variant="default">
          {t("analysis.found.look")}
        </Button>
        {certain.length > 0 && (
          <Button
            leftSection={<IconChecks size={18} aria-hidden />}
            loading={decide.busy}
            onClick={() => void confirm()}
          >
            {t("analysis.review.confirm", { count: certain.length })}
          </Button>
        )}
      </Group>
    </div>
  );
}
