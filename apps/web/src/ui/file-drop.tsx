import "@mantine/dropzone/styles.css";
import { Button, Group, Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFiles, IconFolder, IconUpload } from "@tabler/icons-react";
import { use, useEffect, useRef, useState } from "react";
import { useStore } from "../kernel/store.ts";
import { useTexts } from "../kernel/texts.ts";
import { FileDropList } from "./file-drop-list.tsx";
import { InterruptedUploads } from "./interrupted-uploads.tsx";
import { UploadSessionContext } from "./upload-session.ts";
import { UploadQueue } from "./upload-queue.ts";
import type { FinishedFile } from "./upload-queue.ts";
import classes from "./file-drop.module.css";

interface FileDropProps {
  /** Hears of each batch once all of it has arrived; refused files stay on the page with their reason. */
  onFinished: (uploads: FinishedFile[]) => void;
  /** Hears when something is under way, and when nothing is any more. */
  onBusy?: (busy: boolean) => void;
  /** One line on what belongs here. */
  hint?: string;
  disabled?: boolean;
}

/** Takes many files or whole folders, shows how far each is, and goes on after pauses, reloads and lost connections. */
export function FileDrop({ onFinished, onBusy, hint, disabled = false }: FileDropProps) {
  const t = useTexts("order");
  const queue = useQueue(onFinished, onBusy);
  const isEmpty = useStore(queue.files).length === 0;
  const open = useRef<() => void>(null);
  return (
    <Stack gap="sm">
      <Dropzone
        openRef={open}
        onDrop={(files) => queue.add(files)}
        disabled={disabled}
        activateOnClick={false}
        activateOnKeyboard={false}
        tabIndex={-1}
        className={classes.zone!}
        inputProps={{ "aria-label": t("order.drop.choose") }}
      >
        <Group gap="md" wrap="wrap" justify="center">
          <IconUpload size={26} stroke={1.5} aria-hidden className={classes.icon} />
          <div className={classes.words}>
            <Text size="sm" fw={550}>
              {t("order.drop.here")}
            </Text>
            <Text size="xs" c="dimmed">
              {hint ?? t("order.drop.goesOn")}
            </Text>
          </div>
          <Group gap="xs">
            <Button
              size="sm"
              variant="default"
              disabled={disabled}
              leftSection={<IconFiles size={16} aria-hidden />}
              onClick={() => open.current?.()}
            >
              {t("order.drop.choose")}
            </Button>
            <FolderButton disabled={disabled} onChosen={(files) => queue.add(files)} />
          </Group>
        </Group>
      </Dropzone>
      {isEmpty && <InterruptedUploads />}
      <FileDropList queue={queue} />
    </Stack>
  );
}

function FolderButton({ disabled, onChosen }: { disabled: boolean; onChosen: (files: File[]) => void }) {
  const t = useTexts("order");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        size="sm"
        variant="default"
        disabled={disabled}
        leftSection={<IconFolder size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t("order.drop.folder")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        {...{ webkitdirectory: "" }}
        aria-label={t("order.drop.folder")}
        onChange={(event) => {
          onChosen([...(event.currentTarget.files ?? [])]);
          // The same folder may be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

/** A queue as long as the component lives; what it reports goes to the newest handlers. */
function useQueue(onFinished: FileDropProps["onFinished"], onBusy: FileDropProps["onBusy"]): UploadQueue {
  const session = use(UploadSessionContext);
  const [queue] = useState(() => new UploadQueue(session));
  const hearBusy = useRef(onBusy);
  useEffect(() => {
    hearBusy.current = onBusy;
    queue.hear(onFinished);
  });
  const isBusy = useStore(queue.files).some(({ state }) => state !== "refused");
  useEffect(() => () => queue.leave(), [queue]);
  useEffect(() => {
    hearBusy.current?.(isBusy);
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isBusy]);
  return queue;
}
