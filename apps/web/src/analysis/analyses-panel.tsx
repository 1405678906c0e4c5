import { Alert, Stack } from "@mantine/core";
import { IconRuler2 } from "@tabler/icons-react";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { AnalysisList } from "./analysis-list.tsx";
import { StartAnalysis } from "./start-analysis.tsx";

/** The findings of the analysis engines in a patient's images, and a way to start an analysis. */
export function AnalysesPanel({ patientId }: { patientId: string }) {
  const t = useTexts("analysis");
  const studies = useCall(studyCalls.list, { patientId });
  const engines = useCall(analysisCalls.engines, {});
  return (
    <Stack gap="lg">
      <Alert icon={<IconRuler2 aria-hidden />} color="gray" variant="light">
        {t("analysis.reference")}
      </Alert>
      <AnalysisList patientId={patientId} engines={engines.data?.engines ?? []} />
      <QueryResult of={engines}>
        {({ engines: allEngines, quota }) => (
          <QueryResult of={studies}>
            {(list) => <StartAnalysis engines={allEngines} quota={quota} studies={list} />}
          </QueryResult>
        )}
      </QueryResult>
    </Stack>
  );
}
