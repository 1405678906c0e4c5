import { Button, Group, Stack, Text } from "@mantine/core";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { formatTimestamp } from "../../i18n/format.ts";
import { useSetSearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";

interface Props {
  radiograph: { studyId: string; instanceId: string };
  /** The version that is shown. */
  version: number;
}

/** Every saved version of the tracing. */
export function TracingVersionsPanel({ radiograph, version: shown }: Props) {
  const t = useTexts("ceph");
  const setSearch = useSetSearchParams();
  const query = useCall(cephCalls.versions, radiograph);
  return (
    <QueryResult of={query}>
      {(versions) => (
        <Stack gap="xs">
          {versions.length === 0 && <Text size="sm">{t("ceph.versions.empty")}</Text>}
          {versions.map(({ version, savedAt, savedBy, marked }, at) => (
            <Group key={version} justify="space-between" wrap="nowrap" gap="xs">
              <div>
                <Text size="sm">{t("ceph.versions.row", { version, marked })}</Text>
                <Text size="xs" c="dimmed">
                  {`${formatTimestamp(savedAt)} · ${savedBy}`}
                </Text>
              </div>
              <Button
                size="compact-sm"
                variant="default"
                flex="none"
                disabled={version === shown}
                onClick={() => setSearch({ version: at === 0 && shown !== 0 ? undefined : String(version) })}
              >
                {t("ceph.versions.show")}
              </Button>
            </Group>
          ))}
        </Stack>
      )}
    </QueryResult>
  );
}
