import { Badge, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconDownload, IconPackageExport } from "@tabler/icons-react";
import { useState } from "react";
import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import type { DataExport } from "@arcada/contract/data-export/data-export.calls";
import { ask } from "../data/ask.ts";
import { formatBytes, formatTimestamp } from "../i18n/format.ts";
import { translateRefusal } from "../data/call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { StartExport } from "./start-export.tsx";

const isRunning = ({ state }: DataExport): boolean => state === "waiting" || state === "running";

/** The export of all data of the institution as one archive. */
export function Page() {
  const t = useTexts("leaving", "refusals");
  const [isStarting, setStarting] = useState(false);
  const query = useCall(dataExportCalls.exports, {}, { pollMs: 5000 });
  const busy = query.data?.some(isRunning) ?? false;
  return (
    <PageBody
      title={t("leaving.title")}
      description={t("leaving.says")}
      actions={
        <Button
          leftSection={<IconPackageExport size={18} aria-hidden />}
          disabled={busy}
          onClick={() => setStarting(true)}
        >
          {t("leaving.start")}
        </Button>
      }
    >
      <Section title={t("leaving.latest")} flush>
        <QueryResult of={query} empty={<EmptyState title={t("leaving.none")} text={t("leaving.cliHint")} />}>
          {(exportJobs) => (
            <DataTable
              label={t("leaving.latest")}
              columns={buildColumns(t)}
              rows={exportJobs}
              rowKey={({ id }) => id}
              actions={(exportJob) => <ExportActions exportJob={exportJob} />}
              actionsTitle={t("common.actions")}
            />
          )}
        </QueryResult>
      </Section>
      <StartExport opened={isStarting} onClose={() => setStarting(false)} />
    </PageBody>
  );
}

const stateColours: Record<DataExport["state"], string> = {
  waiting: "gray",
  running: "blue",
  done: "teal",
  failed: "red",
  cancelled: "gray",
  expired: "gray",
};

const buildColumns = (t: Translate): Column<DataExport>[] => [
  {
    key: "time",
    title: t("leaving.column.time"),
    narrow: "head",
    show: ({ createdAt }) => <span className="arcada-figures">{formatTimestamp(createdAt)}</span>,
  },
  { key: "state", title: t("leaving.column.state"), show: (exportJob) => <ExportState exportJob={exportJob} /> },
  {
    key: "size",
    title: t("leaving.column.size"),
    show: ({ bytes }) => <span className="arcada-figures">{bytes === null ? "–" : formatBytes(bytes)}</span>,
  },
  {
    key: "until",
    title: t("leaving.column.until"),
    show: ({ expiresAt, state }) => (
      <span className="arcada-figures">{state === "done" ? formatTimestamp(expiresAt) : "–"}</span>
    ),
  },
];

function ExportState({ exportJob }: { exportJob: DataExport }) {
  const t = useTexts("leaving", "refusals");
  const percent = Math.round(exportJob.progress * 100);
  return (
    <Stack gap={4} maw={260}>
      <Badge variant="light" color={stateColours[exportJob.state]}>
        {t(`leaving.state.${exportJob.state}`)}
      </Badge>
      {exportJob.state === "running" && (
        <>
          <Text size="xs" c="dimmed">
            {t("leaving.running", { percent })}
          </Text>
          <Progress value={percent} aria-label={t("leaving.running", { percent })} />
        </>
      )}
      {exportJob.refusal && (
        <Text size="xs" c="red">
          {translateRefusal(t, exportJob.refusal, exportJob.refusal)}
        </Text>
      )}
    </Stack>
  );
}

function ExportActions({ exportJob }: { exportJob: DataExport }) {
  const t = useTexts("leaving");
  const [isConfirming, setConfirming] = useState(false);
  const cancel = useCommand(dataExportCalls.cancelExport);
  if (isRunning(exportJob))
    return (
      <>
        <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
          {t("leaving.stop")}
        </Button>
        <ConfirmDialog
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          onConfirm={() => void cancel.run({ id: exportJob.id }).then(() => setConfirming(false))}
          title={t("leaving.stopTitle")}
          text={t("leaving.stopText")}
          confirm={t("leaving.stop")}
          busy={cancel.busy}
          danger
        />
      </>
    );
  if (exportJob.state !== "done") return null;
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="light"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => void download(exportJob.id)}
      >
        {t("leaving.download")}
      </Button>
    </Group>
  );
}

/** The address is valid for minutes only, so request it at the moment of the download. */
async function download(id: string): Promise<void> {
  const { url } = await ask(dataExportCalls.exportJob, { id });
  if (url) location.assign(url);
}
