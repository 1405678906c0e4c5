import { Button, Group, Text } from "@mantine/core";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { translateRefusal } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { Batch } from "./upload-batches.ts";
import { forgetBatch } from "./upload-manager.ts";
import classes from "./batch-card.module.css";

interface OutcomeProps {
  batch: Batch;
  job: IngestJob;
  /** On pages other than the patient's: opens the patient. */
  onGo: (() => void) | undefined;
}

/** The result of a batch, with the files that were not imported and the reasons. */
export function BatchOutcome({ batch, job, onGo }: OutcomeProps) {
  const t = useTexts("study", "upload");
  const questionCount = job.questions.length;
  const summary =
    questionCount > 0 && questionCount === job.studies.length
      ? t("study.question.waits", { count: questionCount })
      : job.state === "done"
        ? job.added === 0 && job.known > 0
          ? t("upload.nothingNew")
          : t("study.outcome.done", { count: job.studies.length - questionCount })
        : job.state === "cancelled"
          ? t("study.outcome.cancelled")
          : t("study.outcome.failed");
  return (
    <>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <div className={classes.words} role="status">
          <Text size="sm" fw={600}>
            {summary}
          </Text>
          {questionCount > 0 && questionCount < job.studies.length && (
            <Text size="sm">{t("study.question.waits", { count: questionCount })}</Text>
          )}
          {job.known > 0 && (
            <Text size="sm" c="dimmed">
              {t("upload.known", { count: job.known })}
            </Text>
          )}
          {job.knownFiles.map(({ name, as }) => (
            <Text key={name} size="xs" c="dimmed" className={classes.known}>
              {t("upload.knownAs", { name, as })}
            </Text>
          ))}
          {job.state === "done" && job.refused.length > 0 && (
            <Text size="sm" c="dimmed">
              {t("study.outcome.refused", { count: job.refused.length })}
            </Text>
          )}
        </div>
        <Group gap="xs" wrap="nowrap">
          {onGo && job.studies.length > 0 && (
            <Button
              component={ScreenLink}
              screen="patientDetail"
              search={{ id: batch.patient.id }}
              size="compact-sm"
              onClick={onGo}
            >
              {t("upload.open")}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => forgetBatch(batch.key)}>
            {t("common.ok")}
          </Button>
        </Group>
      </Group>
      <Reasons job={job} />
    </>
  );
}

function Reasons({ job }: { job: IngestJob }) {
  const t = useTexts("study", "refusals");
  const formatReason = (refusal: string, name: string) => translateRefusal(t, refusal, t("common.error"), { name });
  if (job.refused.length === 0) return job.refusal && <Text size="sm">{formatReason(job.refusal, "")}</Text>;
  return (
    <ul className={classes.refused} aria-label={t("study.outcome.refusedList")}>
      {job.refused.map(({ name, refusal }, place) => (
        <li key={place}>
          <span className={classes.name}>{name}</span>
          <span className={classes.reason}>{formatReason(refusal, name)}</span>
        </li>
      ))}
    </ul>
  );
}
