import { Checkbox, Divider, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { QueuedFileDrop } from "../../ui/upload/file-drop.tsx";
import { Section } from "../../ui/page.tsx";
import { AttachedFiles } from "../core/attached-files.tsx";
import type { OrderFiles } from "./use-order-files.ts";
import { IdentityWarnings } from "./identity-warnings.tsx";
import type { OrderCheck } from "./use-order-check.ts";
import type { FormSectionProps } from "./form-section-props.ts";
import classes from "./order-form.module.css";

const selectableRoles = ["upperScan", "lowerScan", "bite", "image", "photo", "document"] as const;
interface FilesSectionProps extends FormSectionProps {
  studies: OrderCheck["studies"];
  files: OrderFiles;
}

/** The files of the order: images of the patient's record, further files, or a physical impression alone. */
export function FilesSection({ studies, files, ...part }: FilesSectionProps) {
  const t = useTexts("order");
  const { draft, change, error } = part;
  const problem = error("files", "scan", "scanOrNote", "bothArches");
  return (
    <Section title={t("order.form.files")}>
      <Stack gap="md">
        <StudySelect {...part} studies={studies} />
        <Divider label={t("order.form.uploads")} labelPosition="left" />
        <QueuedFileDrop queue={files.queue} hint={t("order.form.uploadsHint")} onChosen={files.choose} />
        <AttachedFiles files={draft.uploads} roles={selectableRoles} onChange={(uploads) => change({ uploads })} />
        <IdentityWarnings draft={draft} studies={studies.data ?? []} />
        <Checkbox
          label={t("order.form.noDigitalFiles")}
          description={t("order.form.noDigitalText")}
          checked={draft.noDigitalFiles}
          onChange={(event) => change({ noDigitalFiles: event.currentTarget.checked })}
        />
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert" data-problem tabIndex={-1}>
            {problem}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function StudySelect({ draft, change, studies }: FormSectionProps & Pick<FilesSectionProps, "studies">) {
  const t = useTexts("order");
  if (draft.patientId === "")
    return (
      <Text size="sm" c="dimmed">
        {t("order.form.studiesFirst")}
      </Text>
    );
  if (!studies.data) return <Skeleton h={96} />;
  if (studies.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("order.form.studiesNone")}
      </Text>
    );
  return (
    <Checkbox.Group
      label={t("order.form.studies")}
      value={draft.studies}
      onChange={(chosen) => change({ studies: chosen })}
    >
      <div className={classes.studies}>
        {studies.data.map((study) => (
          <StudyCard key={study.id} study={study} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

function StudyCard({ study }: { study: StudyRow }) {
  const t = useTexts("order");
  const kind = t(`order.studyKind.${study.kind}`);
  const when = formatDay(study.takenAt ?? study.createdAt);
  // Two studies of a kind may have the same day. The description from the files distinguishes them.
  const name = [kind, when, study.description].filter(Boolean).join(", ");
  return (
    <Checkbox.Card value={study.id} className={classes.study} aria-label={name} title={name}>
      <span className={classes.thumbnail}>
        {study.thumbnailUrl ? (
          <img src={study.thumbnailUrl} alt="" loading="lazy" />
        ) : (
          <IconPhoto size={28} stroke={1.2} aria-hidden />
        )}
      </span>
      <Group gap={8} wrap="nowrap" p={8} align="flex-start">
        <Checkbox.Indicator size="xs" mt={2} />
        <span className={classes.studyWords}>
          <Text component="span" size="xs" fw={600} display="block" truncate>
            {kind}
          </Text>
          <Text component="span" size="xs" c="dimmed" display="block" truncate>
            {study.state === "converting" ? t("order.form.converting") : when}
          </Text>
        </span>
      </Group>
    </Checkbox.Card>
  );
}
