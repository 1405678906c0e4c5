import { Anchor, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp, IconHistory, IconPaperclip, IconPencil, IconTrash } from "@tabler/icons-react";
import { visitCalls, type Visit } from "@arcada/contract/visit/visit.calls";
import { formatBytes, formatDateTime, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { VisitVersions } from "./visit-versions.tsx";
import { VisitText } from "./visit-content.tsx";
import classes from "./visit.module.css";

/** One visit; in the bin with the user who removed it and the reason. */
export function VisitCard({ visit, onChange }: { visit: Visit; onChange: () => void }) {
  const t = useTexts("visit");
  return (
    <article className={classes.card} aria-label={t("visit.of", { time: formatDateTime(visit.at) })}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <h3 className={classes.title}>
            <time dateTime={visit.at}>{formatDateTime(visit.at)}</time>
          </h3>
          <Text size="sm" c="dimmed">
            {visit.dentist.name}
          </Text>
        </div>
        {visit.removed ? <RestoreButton visit={visit} /> : <VisitActions visit={visit} onChange={onChange} />}
      </Group>
      {visit.removed && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {t("visit.removedBy", {
            name: visit.removed.by,
            time: formatTimestamp(visit.removed.at),
            reason: visit.removed.reason,
          })}
        </Text>
      )}
      <VisitText content={visit.content} />
      {visit.files.length > 0 && (
        <ul className={classes.files}>
          {visit.files.map(({ id, name, bytes, url }) => (
            <li key={id}>
              <IconPaperclip size={14} aria-hidden />
              <Anchor href={url} size="sm" download={name}>
                {name}
              </Anchor>
              <Text size="xs" c="dimmed" span>
                {formatBytes(bytes)}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {visit.version > 1 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t("visit.changedBy", { name: visit.changedBy.name, time: formatTimestamp(visit.changedAt) })}
        </Text>
      )}
    </article>
  );
}

function VisitActions({ visit, onChange }: { visit: Visit; onChange: () => void }) {
  const t = useTexts("visit");
  const [isRemoving, removing] = useDisclosure(false);
  const [isShowingVersions, versionsDialog] = useDisclosure(false);
  const remove = useCommand(visitCalls.remove);
  const confirm = async (reason: string) => {
    const done = await remove.run({ id: visit.id, version: visit.version, reason });
    removing.close();
    if (done) toast("success", t("visit.removing.done"));
  };
  return (
    <Group gap={6}>
      {visit.version > 1 && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconHistory size={15} aria-hidden />}
          onClick={versionsDialog.open}
        >
          {t("visit.versions.action")}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" leftSection={<IconPencil size={15} aria-hidden />} onClick={onChange}>
        {t("visit.change")}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={15} aria-hidden />}
        onClick={removing.open}
      >
        {t("visit.removing.action")}
      </Button>
      <ConfirmDialog
        opened={isRemoving}
        onClose={removing.close}
        onConfirm={(reason) => void confirm(reason)}
        title={t("visit.removing.title")}
        text={t("visit.removing.text")}
        confirm={t("visit.removing.action")}
        reason={{ label: t("visit.removing.reason"), required: true }}
        busy={remove.busy}
        danger
      />
      <VisitVersions visit={visit} opened={isShowingVersions} onClose={versionsDialog.close} />
    </Group>
  );
}

function RestoreButton({ visit: { id } }: { visit: Visit }) {
  const t = useTexts("visit");
  const restore = useCommand(visitCalls.restore);
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconArrowBackUp size={15} aria-hidden />}
      loading={restore.busy}
      onClick={() => void restore.run({ id })}
    >
      {t("visit.restore")}
    </Button>
  );
}
