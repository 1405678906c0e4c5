import { Anchor, Badge, Button, Menu } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { ReportRow } from "@arcada/contract/report/report.calls";
import { reportSources } from "@arcada/contract/report/report.lifecycle";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink, useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { stateColours } from "./state-colours.ts";

/** A patient's reports, the newest first. */
export function ReportList({ patientId }: { patientId: string }) {
  const t = useTexts("report");
  const go = useOpenScreen();
  const query = useCall(reportCalls.list, { patientId, pageSize: pageSizes.max });
  const empty = <EmptyState title={t("report.none")} text={t("report.noneSays")} />;
  return (
    <Section flush title={t("report.title")} actions={<NewReport patientId={patientId} />}>
      <QueryResult of={query} empty={empty} isEmpty={({ list }) => list.length === 0}>
        {({ list }) => (
          <DataTable
            label={t("report.title")}
            columns={buildColumns(t)}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => go("reportDetail", { id })}
          />
        )}
      </QueryResult>
    </Section>
  );
}

function NewReport({ patientId }: { patientId: string }) {
  const t = useTexts("report");
  const go = useOpenScreen();
  const create = useCommand(reportCalls.create);
  const createReport = async (source: (typeof reportSources)[number]) => {
    const made = await create.run({ patientId, source });
    if (made) go("reportDetail", { id: made.data.id });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />} loading={create.busy}>
          {t("report.new")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void createReport("ai")}>{t("report.newAi")}</Menu.Item>
        <Menu.Item onClick={() => void createReport("manual")}>{t("report.newManual")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const buildColumns = (t: Translate): Column<ReportRow>[] => [
  {
    key: "number",
    title: t("report.column.number"),
    narrow: "head",
    opens: "link",
    show: ({ id, number }) => (
      <Anchor
        component={ScreenLink}
        screen="reportDetail"
        search={{ id }}
        size="sm"
        aria-label={t("report.open", { number })}
      >
        {number}
      </Anchor>
    ),
  },
  {
    key: "state",
    title: t("report.column.state"),
    show: ({ state }) => (
      <Badge variant="light" color={stateColours[state]}>
        {t(`report.state.${state}`)}
      </Badge>
    ),
  },
  { key: "source", title: t("report.column.source"), show: ({ source }) => t(`report.source.${source}`) },
  { key: "score", title: t("report.column.score"), show: ({ score }) => score ?? "–" },
  {
    key: "time",
    title: t("report.column.time"),
    show: ({ signedAt, savedAt }) => formatTimestamp(signedAt ?? savedAt),
  },
  { key: "writer", title: t("report.column.writer"), show: ({ writer }) => writer },
  { key: "signer", title: t("report.column.signer"), show: ({ signer }) => signer ?? "–" },
];
