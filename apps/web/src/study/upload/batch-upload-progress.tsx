import { Button, Group, Text } from "@mantine/core";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FileDropList } from "../../ui/upload/file-progress-list.tsx";
import type { UploadQueue } from "../../ui/upload/upload-queue.ts";
import { uploadShare } from "./upload-batches.ts";
import type { Batch } from "./upload-batches.ts";
import { cancelBatch, startWithoutPending, queues } from "./upload-manager.ts";

/** The upload's progress, and the actions for files that did not arrive. */
export function BatchUpload({ batch, isStuck }: { batch: Batch; isStuck: boolean }) {
  const queue = useStore(queues).get(batch.key);
  if (!queue) return null;
  return (
    <>
      {isStuck && <StuckUpload batch={batch} queue={queue} />}
      <UploadPhase phase="send" />
      <FileDropList queue={queue} progressShare={uploadShare} onCancel={() => cancelBatch(batch.key)} bare />
    </>
  );
}

const phases = ["send", "prepare"] as const;

/** The phase that the one progress bar of a batch is in: it does not start again when the last byte has been sent. */
export function UploadPhase({ phase }: { phase: (typeof phases)[number] }) {
  const t = useTexts("study");
  return (
    <Text size="xs" c="dimmed" mb={2}>
      {t("study.phase.title", { step: phases.indexOf(phase) + 1, phase: t(`study.phase.${phase}`) })}
    </Text>
  );
}

function StuckUpload({ batch, queue }: { batch: Batch; queue: UploadQueue }) {
  const t = useTexts("upload");
  return (
    <Group gap="sm" justify="space-between" mb={8}>
      <div role="alert">
        <Text size="sm" fw={600}>
          {t("upload.failed")}
        </Text>
        <Text size="sm" c="dimmed">
          {t("upload.notSent", { count: batch.left.length, files: batch.files })}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => queue.retryAll()}>
          {t("common.retry")}
        </Button>
        <RemainingFilesActions batch={batch} />
      </Group>
    </Group>
  );
}

/** The choices for a batch with files that did not arrive: continue without them, or cancel. */
export function RemainingFilesActions({ batch }: { batch: Batch }) {
  const t = useTexts("upload");
  return (
    <>
      {batch.uploads.length > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => startWithoutPending(batch.key)}>
          {t("upload.without")}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => cancelBatch(batch.key)}>
        {t("common.cancel")}
      </Button>
    </>
  );
}
