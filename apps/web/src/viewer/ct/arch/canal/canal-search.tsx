import { Button, Group, Text } from "@mantine/core";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { CanalTracing } from "./use-canal-tracing.ts";

/** The running search for a canal with its progress, what it asks for, or why it found nothing. */
export function CanalSearch({ tracing: { running, failure, asked, cancel, leave } }: { tracing: CanalTracing }) {
  const t = useTexts("viewer");
  if (failure) return <Text size="xs">{t(`viewer.arch.canal.problem.${failure.problem}`)}</Text>;
  if (running)
    return (
      <TextWithButton
        text={t("viewer.arch.canal.searching", { percent: formatNumber(running.share * 100, 0) })}
        button={t("viewer.arch.canal.cancel")}
        onClick={cancel}
      />
    );
  if (asked === null) return null;
  return (
    <TextWithButton text={t("viewer.arch.canal.clickHere")} button={t("viewer.arch.canal.leave")} onClick={leave} />
  );
}

function TextWithButton({ text, button, onClick }: { text: string; button: string; onClick: () => void }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs">{text}</Text>
      <Button size="compact-xs" variant="subtle" flex="none" onClick={onClick}>
        {button}
      </Button>
    </Group>
  );
}
