import { Button, Group, Text } from "@mantine/core";
import type { PreviousUpload } from "tus-js-client";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { forgetInterrupted, interruptedUploads } from "./resumable-upload.ts";
import classes from "./file-drop.module.css";

/**
 * Lists uploads that a reload interrupted. The browser does not keep the file, but choosing it again resumes the
 * upload.
 */
export function InterruptedUploads() {
  const t = useTexts("order");
  const [uploads, setUploads] = useState<PreviousUpload[]>([]);
  useEffect(() => {
    let isUnmounted = false;
    void interruptedUploads().then((uploads) => isUnmounted || setUploads(uploads));
    return () => {
      isUnmounted = true;
    };
  }, []);
  if (uploads.length === 0) return null;
  const names = uploads.slice(0, 3).map(({ metadata }) => metadata["filename"] ?? "");
  return (
    <Group gap="xs" className={classes.note} wrap="nowrap">
      <Text size="xs" flex={1}>
        {t("order.drop.interrupted", {
          count: uploads.length,
          names: names.join(", ") + (uploads.length > 3 ? " …" : ""),
        })}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          void forgetInterrupted(uploads);
          setUploads([]);
        }}
      >
        {t("order.drop.forget")}
      </Button>
    </Group>
  );
}
