import { Modal, Stack, Text } from "@mantine/core";
import { visitCalls, type Visit } from "@arcada/contract/visit/visit.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { VisitText } from "./visit-content.tsx";
import classes from "./visit.module.css";

/** The earlier versions of a visit. */
export function VisitVersions({ visit, opened, onClose }: { visit: Visit; opened: boolean; onClose: () => void }) {
  const t = useTexts("visit");
  const query = useCall(visitCalls.versions, { id: visit.id }, { enabled: opened });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t("visit.versions.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <QueryResult of={query}>
        {(versions) => (
          <Stack gap="md">
            {versions.map(({ version, dentist, content, savedBy, savedAt }) => (
              <article key={version} className={classes.card}>
                <Text size="sm" fw={600}>
                  {t("visit.versions.of", { version, name: savedBy, time: formatTimestamp(savedAt) })}
                </Text>
                <Text size="sm" c="dimmed">
                  {dentist.name}
                </Text>
                <VisitText content={content} />
              </article>
            ))}
          </Stack>
        )}
      </QueryResult>
    </Modal>
  );
}
