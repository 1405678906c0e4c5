import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { FilePickerButton } from "../../ui/upload/file-picker-button.tsx";
import { RemainingFilesActions } from "./batch-upload-progress.tsx";
import type { Batch } from "./upload-batches.ts";
import { resumeWithFiles } from "./upload-manager.ts";
import classes from "./batch-card.module.css";

const maxListedFiles = 6;

/** A page cannot keep file handles over a reload, so the files that had not arrived are requested by name. */
export function BatchMissing({ batch }: { batch: Batch }) {
  const t = useTexts("upload");
  const [unmatchedCount, setUnmatchedCount] = useState(0);
  const { left, files } = batch;
  const choose = (chosen: File[]) => setUnmatchedCount(resumeWithFiles(batch.key, chosen));
  return (
    <>
      <div role="alert">
        <Text size="sm" fw={600}>
          {t("upload.missing", { count: left.length })}
        </Text>
        <Text size="sm" c="dimmed">
          {t("upload.missingText", { arrived: files - left.length, files })}
        </Text>
      </div>
      <ul className={classes.missing}>
        {left.slice(0, maxListedFiles).map(({ key, name }) => (
          <li key={key}>{getPath(key, name)}</li>
        ))}
      </ul>
      {left.length > maxListedFiles && (
        <Text size="xs" c="dimmed">
          {t("upload.more", { count: left.length - maxListedFiles })}
        </Text>
      )}
      {unmatchedCount > 0 && (
        <Text size="sm" role="status">
          {t("upload.strangers", { count: unmatchedCount })}
        </Text>
      )}
      <Group gap="xs" mt={10}>
        <FilePickerButton kind="files" size="compact-sm" onChosen={choose} />
        <FilePickerButton kind="folder" size="compact-sm" onChosen={choose} />
        <RemainingFilesActions batch={batch} />
      </Group>
    </>
  );
}

/** Hundreds of folders may contain a file of the same name, so show the path. */
const getPath = (key: string, name: string): string => key.slice(0, key.lastIndexOf(`${name} `) + name.length);
