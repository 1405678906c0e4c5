import { Badge, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { analysisCalls, type AnalysisRow, type Engine } from "@arcada/contract/analysis/analysis.calls";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts, type Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatTrustLevel, getAnalysisName } from "./analysis-text.ts";

/** Analyses of a patient, the newest first. Running ones update automatically. */
export function AnalysisList({ patientId, engines }: { patientId: string; engines: readonly Engine[] }) {
  const t = useTexts("analysis", "study");
  const query = useCall(analysisCalls.list, { patientId });
  return (
    <Section flush title={t("analysis.list.title")}>
      <QueryResult of={query} empty={<EmptyState title={t("analysis.list.none")} text={t("analysis.list.noneText")} />}>
        {(rows) => (
          <DataTable
            label={t("analysis.list.title")}
            columns={buildColumns(t)}
            rows={rows}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(row) => <AnalysisActions row={row} engines={engines} />}
          />
        )}
      </QueryResult>
    </Section>
  );
}

function AnalysisActions({ row, engines }: { row: AnalysisRow; engines: readonly Engine[] }) {
  const t = useTexts("analysis");
  const cancel = useCommand(analysisCalls.cancel);
  const again = useCommand(analysisCalls.start);
  const engine = engines.find(({ on, info }) => on && info.id === row.engine.id && info.version === row.engine.version);
  const label = (what: "show" | "cancel" | "again") => `${t(`analysis.list.${what}`)}: ${getAnalysisName(t, row)}`;
  const imageId = row.instanceId ?? row.seriesId;
  return (
    <>
      {row.state === "done" && (
        <Button
          component={ScreenLink}
          screen="analysis"
          search={{ id: row.id }}
          size="sm"
          variant="default"
          aria-label={label("show")}
        >
          {t("analysis.list.show")}
        </Button>
      )}
      {row.actions.includes("cancel") && (
        <Button
          size="sm"
          variant="default"
          loading={cancel.busy}
          onClick={() => void cancel.run({ id: row.id })}
          aria-label={label("cancel")}
        >
          {t("analysis.list.cancel")}
        </Button>
      )}
      {(row.state === "failed" || row.state === "cancelled") && engine && (
        <Button
          size="sm"
          variant="default"
          loading={again.busy}
          onClick={() => void again.run({ studyId: row.studyId, imageId, engine: engine.id })}
          aria-label={label("again")}
        >
          {t("analysis.list.again")}
        </Button>
      )}
    </>
  );
}

const buildColumns = (t: Translate): Column<AnalysisRow>[] => [
  {
    key: "engine",
    title: t("analysis.list.engine"),
    narrow: "head",
    show: (row) => (
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600}>
          {getAnalysisName(t, row)}
        </Text>
        <Text size="xs" c="dimmed">
          {formatTrustLevel(t, row.engine.level)}
        </Text>
      </Stack>
    ),
  },
  {
    key: "image",
    title: t("analysis.start.image"),
    show: ({ studyKind, takenAt }) => (
      <Text size="sm">{[t(`study.kind.${studyKind}`), takenAt && formatDay(takenAt)].filter(Boolean).join(" · ")}</Text>
    ),
  },
  {
    key: "when",
    title: t("analysis.list.when"),
    show: ({ createdAt, startedBy }) => (
      <Stack gap={2}>
        <span className="arcada-figures">{formatTimestamp(createdAt)}</span>
        <Text size="xs" c="dimmed">
          {startedBy ?? t("analysis.list.byItself")}
        </Text>
      </Stack>
    ),
  },
  { key: "state", title: t("analysis.list.state"), show: (row) => <AnalysisState row={row} /> },
];

const stateColours = { queued: "gray", running: "blue", done: "teal", failed: "red", cancelled: "gray" } as const;

function AnalysisState({
  row: { state, progress, error, open, observations, abstentions, engine },
}: {
  row: AnalysisRow;
}) {
  const t = useTexts("analysis");
  const percent = Math.round(progress * 100);
  return (
    <Stack gap={4} miw={160}>
      <Group gap={6}>
        <Badge variant="light" color={stateColours[state]}>
          {t(`analysis.state.${state}`)}
        </Badge>
        {open > 0 && (
          <Badge variant="filled" tt="none">
            {t("analysis.list.open", { number: open })}
          </Badge>
        )}
      </Group>
      {state === "running" && (
        <Progress value={percent} size="sm" aria-label={t("analysis.list.progress", { percent })} />
      )}
      {state === "done" && (
        <Text size="xs" c="dimmed">
          {[
            t("analysis.list.seen", { number: observations }),
            abstentions > 0 && t("analysis.list.abstained", { number: abstentions }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      )}
      {error && (
        <Text size="xs" c="red" maw={320}>
          {t(`analysis.error.${error}`)}
          {engine.quotaCost > 0 && ` · ${t("analysis.notCharged")}`}
        </Text>
      )}
    </Stack>
  );
}
