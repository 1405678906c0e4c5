import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../kernel/texts.ts";
import { ChooseButton } from "../ui/file-buttons.tsx";
import { Rest } from "./batch-sending.tsx";
import type { Batch } from "./upload-batches.ts";
import { chooseAgain } from "./upload-centre.ts";
import classes from "./batch-card.module.css";

const namedMost = 6;

/** A page cannot keep file handles over a reload, so the files that had not arrived are requested by name. */
export function BatchMissing({ batch }: { batch: Batch }) {
  const t = useTexts("upload");
  const [strangers, setStrangers] = useState(0);
  const { left, files } = batch;
  const choose = (chosen: File[]) => setStrangers(chooseAgain(batch.key, chosen));
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
        {left.slice(0, namedMost).map(({ key, name }) => (
          <li key={key}>{pathIn(key, name)}</li>
        ))}
      </ul>
      {left.length > namedMost && (
        <Text size="xs" c="dimmed">
          {t("upload.more", { count: left.length - namedMost })}
        </Text>
      )}
      {strangers > 0 && (
        <Text size="sm" role="status">
          {t("upload.strangers", { count: strangers })}
        </Text>
      )}
      <Group gap="xs" mt={10}>
        <ChooseButton what="files" size="compact-sm" onChosen={choose} />
        <ChooseButton what="folder" size="compact-sm" onChosen={choose} />
        <Rest batch={batch} />
      </Group>
    </>
  );
}

/** Hundreds of folders may contain a file of the same name, so show the path. */
const pathIn = (key: string, name: string): string => key.slice(0, key.lastIndexOf(`${name} `) + name.length);
