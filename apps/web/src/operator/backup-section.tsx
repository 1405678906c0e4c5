import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { healthRules } from "@arcada/contract/operator/health.calls";
import type { BackupHealth } from "@arcada/contract/operator/health.calls";
import { formatBytes, formatTimeAgo, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { DescriptionList } from "../ui/description-list.tsx";
import { Section } from "../ui/page.tsx";

/** The newest backup with its age, the last verification, and the archive for a restore to a moment between backups. */
export function BackupSection({ backup }: { backup: BackupHealth }) {
  const t = useTexts("operator");
  const { target, last, failure, verification, archive, warning, running } = backup;
  const never = t("operator.health.never");
  const entries: { name: string; value: ReactNode }[] = [
    { name: t("operator.backup.target"), value: target ?? t("operator.backup.notConfigured") },
    {
      name: t("operator.backup.last"),
      value: last ? <TimeWithNote at={last.at} note={last.fault ?? `${last.target} · ${last.name}`} /> : never,
    },
    {
      name: t("operator.health.size"),
      value: last && t("operator.health.filesOf", { count: last.files, size: formatBytes(last.bytes) }),
    },
    {
      name: t("operator.backup.failure"),
      value: failure ? <TimeWithNote at={failure.at} note={failure.fault} /> : t("operator.backup.none"),
    },
    {
      name: t("operator.backup.verification"),
      value: verification ? (
        <TimeWithNote at={verification.at} note={verification.ok ? t("operator.backup.intact") : verification.fault} />
      ) : (
        never
      ),
    },
    {
      name: t("operator.backup.archive"),
      value: archive ? <Archive archive={archive} /> : t("operator.backup.archiveOff"),
    },
    {
      name: t("operator.backup.now"),
      value: running ? t("operator.backup.running") : t("operator.backup.idle"),
    },
  ];
  return (
    <Section title={t("operator.light.backup")}>
      <Stack gap="md">
        {warning && (
          <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {t(`operator.backup.warning.${warning}`, { hours: healthRules.backupHours })}
          </Alert>
        )}
        <DescriptionList entries={entries.map(({ name, value }) => [name, value])} />
      </Stack>
    </Section>
  );
}

function TimeWithNote({ at, note }: { at: string; note: string | null }) {
  return (
    <>
      {formatTimestamp(at)} ({formatTimeAgo(at)})
      {note && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {note}
        </Text>
      )}
    </>
  );
}

function Archive({ archive: { at, waiting, fault } }: { archive: NonNullable<BackupHealth["archive"]> }) {
  const t = useTexts("operator");
  const waits = t("operator.backup.waiting", { count: waiting });
  return at ? <TimeWithNote at={at} note={fault ?? waits} /> : <>{fault ?? waits}</>;
}
