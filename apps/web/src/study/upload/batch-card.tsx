import { Button, Group, Progress, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { BatchMissing } from "./missing-batch-files.tsx";
import { BatchOutcome } from "./batch-outcome.tsx";
import { BatchUpload, UploadPhase } from "./batch-upload-progress.tsx";
import { BatchStudies } from "./batch-studies.tsx";
import { getPercent } from "./upload-batches.ts";
import type { BatchState, BatchStage } from "./upload-batches.ts";
import { forgetBatch, retryBatch } from "./upload-manager.ts";
import classes from "./batch-card.module.css";

interface BatchCardProps {
  state: BatchState;
  /** On the patient's page: opens the details of a resulting study. */
  onDetails?: (studyId: string) => void;
  /** On other pages the card names the patient and links to them. */
  onGo?: () => void;
}

/** The state of a batch of files: its progress, its questions and its result. */
export function BatchCard({ state, onDetails, onGo }: BatchCardProps) {
  const { batch, stage, job } = state;
  return (
    <div className={classes.card} data-kind={kindByStage[stage]}>
      {onGo && (
        <ScreenLink screen="patientDetail" search={{ id: batch.patient.id }} className={classes.patient} onClick={onGo}>
          {batch.patient.name}
        </ScreenLink>
      )}
      <BatchContent state={state} onGo={onGo} />
      {onDetails && job && job.studies.length > 0 && <BatchStudies job={job} onDetails={onDetails} />}
    </div>
  );
}

const kindByStage: Record<BatchStage, "question" | "problem" | "done" | undefined> = {
  sending: undefined,
  paused: undefined,
  opening: undefined,
  working: undefined,
  stuck: "problem",
  problem: "problem",
  failed: "problem",
  missing: "question",
  question: "question",
  done: "done",
  cancelled: "done",
};

function BatchContent({ state, onGo }: { state: BatchState; onGo: (() => void) | undefined }): ReactNode {
  const { batch, stage, job, problem } = state;
  if (stage === "sending" || stage === "paused" || stage === "stuck")
    return <BatchUpload batch={batch} isStuck={stage === "stuck"} />;
  if (stage === "missing") return <BatchMissing batch={batch} />;
  if (stage === "problem") return <NotStarted batchKey={batch.key} text={problem ?? ""} />;
  if (stage === "opening" || stage === "working" || !job) return <BatchProgress state={state} />;
  return <BatchOutcome batch={batch} job={job} onGo={onGo} />;
}

/**
 * The progress bar continues after the upload: one bar from the first byte to the last image, with a name for each
 * phase.
 */
function BatchProgress({ state }: { state: BatchState }) {
  const { batch, job } = state;
  const t = useTexts("study");
  const cancel = useCommand(uploadJobCalls.cancelJob);
  const percent = getPercent([state]);
  const stage = job?.state === "running" ? t(`study.stage.${job.stage}`) : t("study.stage.waiting");
  return (
    <Group gap="sm" wrap="nowrap" align="flex-end">
      <div className={classes.words}>
        <UploadPhase phase="prepare" />
        <Group justify="space-between" gap="xs" mb={6}>
          <Text size="sm" fw={550} role="status">
            {stage}
          </Text>
          <Text size="xs" c="dimmed" className="arcada-figures">
            {t("study.files", { count: batch.uploads.length })} · {percent}%
          </Text>
        </Group>
        <Progress value={percent} size="sm" animated aria-label={stage} />
      </div>
      {job && (
        <Button
          size="compact-sm"
          variant="default"
          loading={cancel.busy}
          onClick={() => void cancel.run({ id: job.id })}
        >
          {t("common.cancel")}
        </Button>
      )}
    </Group>
  );
}

function NotStarted({ batchKey, text }: { batchKey: string; text: string }) {
  const t = useTexts("study");
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" role="alert">
        {text}
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => retryBatch(batchKey)}>
          {t("common.retry")}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => forgetBatch(batchKey)}>
          {t("study.upload.giveUp")}
        </Button>
      </Group>
    </Group>
  );
}
