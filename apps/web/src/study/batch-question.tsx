import { Button, Group, Text } from "@mantine/core";
import type { IngestJob } from "@arcada/contract/study/study.calls";
import { showDay } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import type { Batch } from "./upload-batches.ts";
import { acceptMismatch, cancelBatch } from "./upload-centre.ts";
import classes from "./batch-card.module.css";

interface QuestionProps {
  batch: Batch;
  files: NonNullable<IngestJob["mismatch"]>;
}

/** The files name another person: nothing is taken in before somebody has looked. */
export function BatchQuestion({ batch, files }: QuestionProps) {
  const t = useTexts("study");
  const { patient } = batch;
  return (
    <div role="alert">
      <Text size="sm" fw={600}>
        {t("study.mismatch.title")}
      </Text>
      <dl className={classes.who}>
        <dt>{t("study.mismatch.files")}</dt>
        <dd>{files.name || t("common.unknown")}</dd>
        <dd className="arcada-figures">{showDay(files.birthDate)}</dd>
        <dt>{t("study.mismatch.patient")}</dt>
        <dd>{patient.name}</dd>
        <dd className="arcada-figures">{showDay(patient.birthDate)}</dd>
      </dl>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => acceptMismatch(batch.key)}>
          {t("study.mismatch.accept", { name: patient.name })}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => cancelBatch(batch.key)}>
          {t("study.mismatch.discard")}
        </Button>
      </Group>
    </div>
  );
}
