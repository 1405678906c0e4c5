import { Alert, Badge, Button, FileButton, Group, Progress, Stack, Text } from "@mantine/core";
import { IconPackageImport } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import type { DataImport } from "@arcada/contract/data-export/data-export.calls";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import { formatBytes, formatTimestamp } from "../i18n/format.ts";
import { showError } from "../data/show-error.ts";
import { translateRefusal } from "../data/call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { ImportActions } from "./import-actions.tsx";
import { ask } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";

/** The import of institutions from another instance: upload, check, import. */
export function Page() {
  const t = useTexts("leaving", "refusals");
  const query = useCall(dataExportCalls.arrivals, {}, { pollMs: 2000 });
  const { sending: uploadShare, send, stop } = useArchiveUpload(query.data ?? [], () => void query.refetch());
  return (
    <PageBody
      title={t("leaving.arrivals.title")}
      description={t("leaving.arrivals.says")}
      actions={
        <FileButton
          accept=".zip,application/zip"
          onChange={(file) => void (file && send(file))}
          key={String(uploadShare)}
        >
          {(props) => (
            <Button {...props} loading={uploadShare !== null} leftSection={<IconPackageImport size={18} aria-hidden />}>
              {t("leaving.arrivals.choose")}
            </Button>
          )}
        </FileButton>
      }
    >
      {uploadShare !== null && (
        <Alert color="blue" role="status">
          <Stack gap="xs">
            <Text size="sm">{t("leaving.arrivals.sending", { percent: toPercent(uploadShare) })}</Text>
            <Progress
              value={toPercent(uploadShare)}
              aria-label={t("leaving.arrivals.sending", { percent: toPercent(uploadShare) })}
            />
            <Group justify="flex-end">
              <Button size="xs" variant="default" onClick={stop}>
                {t("leaving.stop")}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      <Section title={t("leaving.arrivals.latest")} flush>
        <QueryResult of={query} empty={<EmptyState title={t("leaving.arrivals.none")} />}>
          {(dataImports) => (
            <DataTable
              label={t("leaving.arrivals.latest")}
              columns={buildColumns(t)}
              rows={dataImports}
              rowKey={({ id }) => id}
              actions={(dataImport) => <ImportActions dataImport={dataImport} isSending={uploadShare !== null} />}
              actionsTitle={t("common.actions")}
            />
          )}
        </QueryResult>
      </Section>
    </PageBody>
  );
}

const toPercent = (share: number): number => Math.round(share * 100);

function useArchiveUpload(open: readonly DataImport[], onChanged: () => void) {
  const [uploadShare, setUploadShare] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const send = async (file: File) => {
    controller.current = new AbortController();
    setUploadShare(0);
    try {
      await uploadArchive(file, open, { progress: setUploadShare, signal: controller.current.signal });
    } catch (error) {
      showError(error);
    } finally {
      setUploadShare(null);
      onChanged();
    }
  };
  return { sending: uploadShare, send, stop: () => controller.current?.abort() };
}

/** Uploads an archive in chunks, resuming an earlier attempt with the same file. */
async function uploadArchive(
  file: File,
  openImports: readonly DataImport[],
  options: { progress: (share: number) => void; signal: AbortSignal },
): Promise<void> {
  const earlier = openImports.find(
    ({ state, name, bytes }) => state === "sending" && name === file.name && bytes === file.size,
  );
  const { id, offset } = earlier ?? (await ask(dataExportCalls.import, { name: file.name, bytes: file.size }));
  await uploadInParts(file, { path: `/imports/${id}`, offset, pieceBytes: dataExportRules.chunkBytes, ...options });
}

const stateColours: Record<DataImport["state"], string> = {
  sending: "gray",
  checking: "blue",
  checked: "indigo",
  importing: "blue",
  done: "teal",
  failed: "red",
  cancelled: "gray",
};

const buildColumns = (t: Translate): Column<DataImport>[] => [
  {
    key: "file",
    title: t("leaving.arrivals.file"),
    narrow: "head",
    show: (dataImport) => <ArchiveFacts dataImport={dataImport} />,
  },
  {
    key: "state",
    title: t("leaving.arrivals.stateTitle"),
    show: (dataImport) => <ImportState dataImport={dataImport} />,
  },
  {
    key: "time",
    title: t("leaving.arrivals.time"),
    show: ({ createdAt }) => <span className="arcada-figures">{formatTimestamp(createdAt)}</span>,
  },
];

function ArchiveFacts({ dataImport: { name, bytes, found } }: { dataImport: DataImport }) {
  const t = useTexts("leaving");
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {found ? t("leaving.arrivals.organisation", found.institution) : name}
      </Text>
      <Text size="xs" c="dimmed">
        {found ? t("leaving.arrivals.madeAt", { time: formatTimestamp(found.exportedAt) }) : formatBytes(bytes)}
      </Text>
      {found && (
        <Text size="xs" c="dimmed">
          {t("leaving.arrivals.counts", {
            patients: found.tables["patient"] ?? 0,
            orders: found.tables["orders"] ?? 0,
            files: found.files,
            size: formatBytes(found.bytes),
          })}
        </Text>
      )}
      {found && (
        <Text size="xs" c="dimmed">
          {t("leaving.arrivals.people", { members: found.members, known: found.known })}
        </Text>
      )}
      {found !== null && found.lacking > 0 && (
        <Text size="xs" c="orange.9">
          {t("leaving.arrivals.lacking", { count: found.lacking })}
        </Text>
      )}
    </Stack>
  );
}

function ImportState({ dataImport }: { dataImport: DataImport }) {
  const t = useTexts("leaving", "refusals");
  const { state, refusal, offset, bytes, progress } = dataImport;
  const percent = toPercent(state === "sending" ? offset / bytes : progress);
  const isRunning = state === "checking" || state === "importing";
  return (
    <Stack gap={4} maw={280}>
      <Badge variant="light" color={stateColours[state]}>
        {t(`leaving.arrivals.state.${state}`)}
      </Badge>
      {isRunning && (
        <>
          <Text size="xs" c="dimmed">
            {t(`leaving.arrivals.${state}`, { percent })}
          </Text>
          <Progress value={percent} aria-label={t(`leaving.arrivals.${state}`, { percent })} />
        </>
      )}
      {state === "sending" && offset < bytes && (
        <Text size="xs" c="dimmed">
          {t("leaving.arrivals.paused")}
        </Text>
      )}
      {refusal && (
        <Text size="xs" c="red">
          {translateRefusal(t, refusal, refusal)}
        </Text>
      )}
    </Stack>
  );
}
