import { Button, Group, Progress, Text } from "@mantine/core";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { IngestJob } from "@arcada/contract/study/study.calls";
import { useTexts } from "../kernel/texts.ts";
import { useCommand } from "../kernel/use-command.ts";
import { BatchOutcome } from "./batch-outcome.tsx";
import { BatchQuestion } from "./batch-question.tsx";
import { BatchStudies } from "./batch-studies.tsx";
import { forgetBatch } from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";
import { useBatchJob } from "./use-batch-job.ts";
import classes from "./batch-card.module.css";

interface BatchCardProps {
  batch: Batch;
  patient: { name: string; birthDate: string | null };
  onDetails: (studyId: string) => void;
}

/** What becomes of one batch of files: how far it is, what it asks, what came of it. */
export function BatchCard({ batch, patient, onDetails }: BatchCardProps) {
  const { job, problem, again } = useBatchJob(batch);
  const isLost = problem?.isLost === true;
  // Another tab, or the server's memory of old jobs, has ended it.
  useEffect(() => {
    if (isLost) forgetBatch(batch.key);
  }, [isLost, batch.key]);
  if (problem) return isLost ? null : <NotStarted batch={batch} text={problem.text} onAgain={again} />;
  if (!job || job.state === "waiting" || job.state === "running")
    return (
      <Card>
        <Going batch={batch} job={job} />
        {job && <BatchStudies job={job} onDetails={onDetails} />}
      </Card>
    );
  if (job.mismatch)
    return (
      <Card kind="question">
        <BatchQuestion batch={batch} files={job.mismatch} patient={patient} />
      </Card>
    );
  return (
    <Card kind={job.state === "failed" ? "problem" : "done"}>
      <BatchOutcome batch={batch} job={job} />
      {job.state === "done" && <BatchStudies job={job} onDetails={onDetails} />}
    </Card>
  );
}

function Card({ kind, children }: { kind?: "question" | "problem" | "done"; children: ReactNode }) {
  return (
    <div className={classes.card} data-kind={kind}>
      {children}
    </div>
  );
}

function Going({ batch, job }: { batch: Batch; job: IngestJob | undefined }) {
  const t = useTexts("study");
  const cancel = useCommand(studyCalls.cancelJob);
  const percent = Math.round(100 * (job?.progress ?? 0));
  const stage = job?.state === "running" ? t(`study.stage.${job.stage}`) : t("study.stage.waiting");
  return (
    <Group gap="sm" wrap="nowrap" align="flex-end">
      <div className={classes.words}>
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

function NotStarted({ batch, text, onAgain }: { batch: Batch; text: string; onAgain: () => void }) {
  const t = useTexts("study");
  return (
    <Card kind="problem">
      <Group gap="sm" justify="space-between">
        <Text size="sm" role="alert">
          {text}
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={onAgain}>
            {t("common.retry")}
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => forgetBatch(batch.key)}>
            {t("study.upload.giveUp")}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}
