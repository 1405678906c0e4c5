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
      <FileDropList queue={queue} progressShare={uploadShare} onCancel={() => cancelBatch(batch.key)} bare />
    </>
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
