import { Alert, Button, Group, Modal, Progress, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { deidentification, studyDownloadCalls } from "@arcada/contract/study/study-download.calls";
import type { Deidentification } from "@arcada/contract/study/study-download.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { formatBytes } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { IdentifyingStudies } from "./identifying-pixels-notice.tsx";

interface DownloadProps {
  studies: readonly StudyRow[];
  patientId: string;
  opened: boolean;
  onClose: () => void;
}

/** Downloads studies of one patient: the source files, or de-identified. */
export function DownloadStudies({ opened, onClose, ...chosen }: DownloadProps) {
  const t = useTexts("study");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t("study.download.title", { count: chosen.studies.length })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <DownloadOptions {...chosen} onClose={onClose} />
    </Modal>
  );
}

type DownloadForm = "asIs" | "nameless";

function DownloadOptions({ studies, patientId, onClose }: Omit<DownloadProps, "opened">) {
  const t = useTexts("study", "common");
  const [form, setForm] = useState<DownloadForm>("asIs");
  const [pseudonym, setPseudonym] = useState("");
  const [dates, setDates] = useState<Deidentification["dates"]>("removed");
  const download = useCommand(studyDownloadCalls.download);
  const [downloadId, setDownloadId] = useState<string | null>(null);
  const options = deidentification.safeParse({ dates, ...(pseudonym.trim() && { pseudonym }) });
  const bytes = studies.reduce((sum, study) => sum + study.bytes, 0);
  const start = async () => {
    const input = { studies: studies.map(({ id }) => id), ...(form === "nameless" && { nameless: options.data }) };
    const done = await download.run(input);
    if (!done) return;
    setDownloadId(done.data.id);
    location.assign(done.data.url);
  };
  if (downloadId) return <PackingProgress id={downloadId} onClose={onClose} />;
  return (
    <Stack gap="md">
      <Radio.Group
        aria-label={t("study.download.form")}
        value={form}
        onChange={(value) => setForm(value as DownloadForm)}
      >
        <Stack gap="sm">
          <Radio value="asIs" label={t("study.download.asIs")} description={t("study.download.asIsText")} />
          <Radio value="nameless" label={t("study.download.nameless")} description={t("study.download.namelessText")} />
        </Stack>
      </Radio.Group>
      {form === "nameless" && (
        <>
          <TextInput
            label={t("study.download.pseudonym")}
            description={t("study.download.pseudonymText")}
            value={pseudonym}
            maxLength={32}
            onChange={(event) => setPseudonym(event.currentTarget.value)}
            error={!options.success && t("common.field.pseudonymOdd")}
          />
          <Radio.Group
            label={t("study.download.dates")}
            value={dates}
            onChange={(value) => setDates(value as Deidentification["dates"])}
          >
            <Stack gap={6} mt={6}>
              {(["removed", "moved", "kept"] as const).map((each) => (
                <Radio key={each} value={each} label={t(`study.download.date.${each}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <IdentifyingStudies patientId={patientId} studies={studies} />
        </>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={download.busy} disabled={form === "nameless" && !options.success} onClick={() => void start()}>
          {t("study.download.start", { size: formatBytes(bytes) })}
        </Button>
      </Group>
    </Stack>
  );
}

/** The archive is written while the browser downloads it. */
function PackingProgress({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts("study");
  const [isFinished, setFinished] = useState(false);
  const { data } = useCall(studyDownloadCalls.downloadState, { id }, isFinished ? {} : { pollMs: 1000 });
  if (!isFinished && (data?.state === "done" || data?.state === "failed")) setFinished(true);
  const [done, files] = [data?.done ?? 0, data?.files ?? 0];
  return (
    <Stack gap="md">
      {data?.state === "failed" ? (
        <Alert color="red" role="alert">
          {t("study.download.failed")}
        </Alert>
      ) : (
        <div role="status">
          <Text size="sm" mb={6}>
            {data?.state === "done" ? t("study.download.done") : t("study.download.packing", { done, count: files })}
          </Text>
          <Progress
            value={files === 0 ? 0 : (100 * done) / files}
            aria-label={t("study.download.packing", { done, count: files })}
          />
        </div>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.close")}
        </Button>
      </Group>
    </Stack>
  );
}
