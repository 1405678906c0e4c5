import { ActionIcon, Select, Text } from "@mantine/core";
import { IconAlertCircle, IconFile, IconX } from "@tabler/icons-react";
import type { fileRoles } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import classes from "./attached-files.module.css";

type FileRole = (typeof fileRoles)[number];
export interface AttachedFile {
  upload: string;
  role: FileRole;
  name: string;
  refused?: string;
}
interface AttachedFilesProps<R extends FileRole> {
  files: readonly AttachedFile[];
  /** The roles that a file can have; without them no choice is offered. */
  roles?: readonly R[];
  onChange: (files: AttachedFile[]) => void;
}

/** Uploaded files that belong to the text being written. */
export function AttachedFiles<R extends FileRole>({ files, roles, onChange }: AttachedFilesProps<R>) {
  const t = useTexts("order");
  if (files.length === 0) return null;
  return (
    <ul className={classes.files}>
      {files.map((file, at) => (
        <li key={file.upload} className={classes.file} data-refused={file.refused ? true : undefined}>
          {file.refused ? <IconAlertCircle size={18} aria-hidden /> : <IconFile size={18} stroke={1.5} aria-hidden />}
          <span className={classes.name}>
            <Text component="span" size="sm" truncate display="block" title={file.name}>
              {file.name}
            </Text>
            {file.refused && (
              <Text component="span" size="xs" c="var(--mantine-color-error)" display="block" role="alert">
                {file.refused}
              </Text>
            )}
          </span>
          {roles && (
            <Select
              size="xs"
              className={classes.role!}
              aria-label={`${t("order.form.role")}: ${file.name}`}
              data={roles.map((value) => ({ value, label: t(`order.role.${value}`) }))}
              value={roles.find((role) => role === file.role) ?? null}
              allowDeselect={false}
              onChange={(role) => role && onChange(files.with(at, { upload: file.upload, name: file.name, role }))}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("order.form.removeFile", { name: file.name })}
            onClick={() => onChange(files.toSpliced(at, 1))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
