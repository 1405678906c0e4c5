import { ActionIcon, Input, Stack, Text } from "@mantine/core";
import { IconPaperclip, IconX } from "@tabler/icons-react";
import type { Visit } from "@arcada/contract/visit/visit.calls";
import { useTexts } from "../i18n/texts.ts";
import { FileDrop } from "../ui/upload/file-drop.tsx";
import type { VisitCallForm } from "./visit-form-values.ts";
import classes from "./visit.module.css";

interface Props {
  call: VisitCallForm;
  files: Visit["files"];
  onBusy: (busy: boolean) => void;
}

/** Files of a visit: letters, documents and images. */
export function VisitFiles({ call: { form }, files, onBusy }: Props) {
  const t = useTexts("visit", "order", "upload");
  const [keep, uploads] = [form.watch("keep"), form.watch("uploads")];
  const rows = [
    ...files
      .filter(({ id }) => keep.includes(id))
      .map(({ id, name }) => ({
        id,
        name,
        drop: () =>
          form.setValue(
            "keep",
            keep.filter((one) => one !== id),
          ),
      })),
    ...uploads.map(({ id, name }) => ({
      id,
      name,
      drop: () =>
        form.setValue(
          "uploads",
          uploads.filter((one) => one.id !== id),
        ),
    })),
  ];
  return (
    <Stack gap="xs">
      <Input.Label component="div">{t("visit.files")}</Input.Label>
      <FileDrop
        onBusy={onBusy}
        onFinished={(added) =>
          form.setValue("uploads", [...form.getValues("uploads"), ...added.map(({ id, name }) => ({ id, name }))], {
            shouldDirty: true,
          })
        }
      />
      {rows.length > 0 && (
        <ul className={classes.files}>
          {rows.map(({ id, name, drop }) => (
            <li key={id}>
              <IconPaperclip size={14} aria-hidden />
              <Text size="sm" span truncate>
                {name}
              </Text>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t("visit.dropFile", { name })}
                onClick={drop}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
