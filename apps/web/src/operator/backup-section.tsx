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
  const { target, last, failure, verification, archive, warning } = backup;
  return (
    <Section title={t("operator.light.backup")}>
      <Stack gap="md">
        {warning && (
          <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {t(`operator.backup.warning.${warning}`, { hours: healthRules.backupHours })}
          </Alert>
        )}
        <DescriptionList
          entries={[
            [t("operator.backup.target"), target ?? t("operator.backup.notConfigured")],
            [
              t("operator.backup.last"),
              last ? (
                <TimeWithNote at={last.at} note={last.fault ?? `${last.target} · ${last.name}`} />
              ) : (
                t("operator.health.never")
              ),
            ],
            [
              t("operator.health.size"),
              last ? t("operator.health.filesOf", { count: last.files, size: formatBytes(last.bytes) }) : "–",
            ],
            ...(failure
              ? [
                  [
                    t("operator.backup.failure"),
                    <TimeWithNote key="failure" {...failure} note={failure.fault} />,
                  ] as Entry,
                ]
              : []),
            [
              t("operator.backup.verification"),
              verification ? (
                <TimeWithNote
                  at={verification.at}
                  note={verification.ok ? t("operator.backup.intact") : verification.fault}
                />
              ) : (
                t("operator.health.never")
              ),
            ],
            [t("operator.backup.archive"), archive ? <Archive archive={archive} /> : t("operator.backup.archiveOff")],
            ...(backup.running ? [[t("operator.backup.now"), t("operator.backup.running")] as Entry] : []),
          ]}
        />
      </Stack>
    </Section>
  );
}

type Entry = [string, ReactNode];

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
