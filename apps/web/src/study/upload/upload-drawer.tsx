import { Button, Drawer, Group, Stack, Text } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import { EmptyState } from "../../ui/page-states.tsx";
import { BatchCard } from "./batch-card.tsx";
import { hasEnded, useBatches } from "./upload-batches.ts";
import { forgetBatch } from "./upload-manager.ts";

/** Every upload of this tab, for all patients. */
export function UploadDrawer({ onClose }: { onClose: () => void }) {
  const t = useTexts("upload", "study", "order", "refusals");
  const all = useBatches();
  const ended = all.filter(({ stage }) => hasEnded(stage));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={t("upload.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {all.length === 0 ? (
        <EmptyState title={t("upload.none")} text={t("upload.noneText")} />
      ) : (
        <Stack gap="sm">
          <Group justify="space-between" gap="sm" wrap="nowrap">
            <Text size="sm" c="dimmed">
              {t("upload.goesOn")}
            </Text>
            {ended.length > 0 && (
              <Button
                size="compact-sm"
                variant="subtle"
                flex="none"
                onClick={() => {
                  for (const { batch } of ended) forgetBatch(batch.key);
                }}
              >
                {t("upload.clear")}
              </Button>
            )}
          </Group>
          {all.map((now) => (
            <BatchCard key={now.batch.key} state={now} onGo={onClose} />
          ))}
        </Stack>
      )}
    </Drawer>
  );
}
