import { Button, Group, Text } from "@mantine/core";
import type { PreviousUpload } from "tus-js-client";
import { useEffect, useState } from "react";
import { useTexts } from "../kernel/texts.ts";
import { forgetInterrupted, interruptedUploads } from "./upload.ts";
import classes from "./file-drop.module.css";

/**
 * Lists uploads that a reload interrupted. The browser does not keep the file, but choosing it again resumes the
 * upload.
 */
export function InterruptedUploads() {
  const t = useTexts("order");
  const [left, setLeft] = useState<PreviousUpload[]>([]);
  useEffect(() => {
    let isGone = false;
    void interruptedUploads().then((uploads) => isGone || setLeft(uploads));
    return () => {
      isGone = true;
    };
  }, []);
  if (left.length === 0) return null;
  const names = left.slice(0, 3).map(({ metadata }) => metadata["filename"] ?? "");
  return (
    <Group gap="xs" className={classes.note} wrap="nowrap">
      <Text size="xs" flex={1}>
        {t("order.drop.interrupted", { count: left.length, names: names.join(", ") + (left.length > 3 ? " …" : "") })}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          void forgetInterrupted(left);
          setLeft([]);
        }}
      >
        {t("order.drop.forget")}
      </Button>
    </Group>
  );
}
