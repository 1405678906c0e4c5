import { Button, Group, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";

/** Exports signed charts and their images for the training of engines. */
export function TrainingSection() {
  const t = useTexts("analysis");
  const query = useCall(analysisCalls.training, {});
  const exportCall = useCommand(analysisCalls.exportTraining);
  const startExport = async () => {
    const answer = await exportCall.run({});
    if (answer) location.assign(answer.data.url);
  };
  return (
    <Section title={t("analysis.training.title")} description={t("analysis.training.says")}>
      <QueryResult of={query}>
        {({ images, patients, withoutConsent }) => (
          <Stack gap="sm">
            <Group justify="space-between" gap="md">
              <Stack gap={2}>
                <Text size="sm">{t("analysis.training.count", { images, patients })}</Text>
                {withoutConsent > 0 && (
                  <Text size="xs" c="dimmed">
                    {t("analysis.training.without", { patients: withoutConsent })}
                  </Text>
                )}
              </Stack>
              <Button
                variant="default"
                leftSection={<IconDownload size={18} aria-hidden />}
                disabled={images === 0}
                loading={exportCall.busy}
                onClick={() => void startExport()}
              >
                {t("analysis.training.export")}
              </Button>
            </Group>
            <Text size="sm" c="dimmed">
              {t("analysis.onUpload.learn")}
            </Text>
          </Stack>
        )}
      </QueryResult>
    </Section>
  );
}
