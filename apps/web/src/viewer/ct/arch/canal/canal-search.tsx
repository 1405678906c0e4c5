import { Button, Group, Text } from "@mantine/core";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { CanalTracing } from "./use-canal-tracing.ts";

/** The running search for a canal with its progress, or why it found nothing. */
export function CanalSearch({ tracing: { running, failure, cancel } }: { tracing: CanalTracing }) {
  const t = useTexts("viewer");
  if (failure) return <Text size="xs">{t(`viewer.arch.canal.problem.${failure.problem}`)}</Text>;
  if (!running) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs">{t("viewer.arch.canal.searching", { percent: formatNumber(running.share * 100, 0) })}</Text>
      <Button size="compact-xs" variant="subtle" onClick={cancel}>
        {t("viewer.arch.canal.cancel")}
      </Button>
    </Group>
  );
}
