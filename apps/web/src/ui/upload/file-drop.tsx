import "@mantine/dropzone/styles.css";
import { Button, Group, Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFiles, IconUpload } from "@tabler/icons-react";
import { use, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FilePickerButton } from "./file-picker-button.tsx";
import { FileDropList } from "./file-progress-list.tsx";
import { InterruptedUploads } from "./interrupted-uploads.tsx";
import { UploadSessionContext } from "./upload-authentication.ts";
import { UploadQueue } from "./upload-queue.ts";
import type { FinishedFile } from "./upload-queue.ts";
import classes from "./file-drop.module.css";

interface FileDropProps {
  /** Called with each batch once all of it has arrived. Rejected files stay on the page with their reason. */
  onFinished: (uploads: FinishedFile[]) => void;
  /** Called when uploads start, and when none are running any more. */
  onBusy?: (busy: boolean) => void;
  /** One line on the expected files. */
  hint?: string;
  disabled?: boolean;
}

/**
 * Accepts many files or whole folders, shows the progress of each, and resumes after pauses, reloads and lost
 * connections.
 */
export function FileDrop({ onFinished, onBusy, hint, disabled = false }: FileDropProps) {
  const queue = useUploadQueue(onFinished, onBusy);
  return <QueuedFileDrop queue={queue} hint={hint} disabled={disabled} onChosen={(files) => queue.add(files)} />;
}

/** The zone and the progress of a queue that lives outside it, because other parts of the page add files, too. */
export function QueuedFileDrop({
  queue,
  hint,
  disabled = false,
  onChosen,
}: FileDropZoneProps & { queue: UploadQueue }) {
  const isEmpty = useStore(queue.files).length === 0;
  return (
    <Stack gap="sm" data-screen-only>
      <FileDropZone hint={hint} disabled={disabled} onChosen={onChosen} />
      {isEmpty && <InterruptedUploads />}
      <FileDropList queue={queue} />
    </Stack>
  );
}

interface FileDropZoneProps {
  onChosen: (files: File[]) => void;
  hint?: string | undefined;
  /** A choice that applies to the next files, before the buttons. */
  options?: ReactNode;
  disabled?: boolean;
}

/** A zone to drop or choose files and folders. */
export function FileDropZone({ onChosen, hint, options, disabled = false }: FileDropZoneProps) {
  const t = useTexts("order");
  const open = useRef<() => void>(null);
  return (
    <Dropzone
      openRef={open}
      onDrop={onChosen}
      disabled={disabled}
      activateOnClick={false}
      activateOnKeyboard={false}
      tabIndex={-1}
      className={classes.zone!}
      data-screen-only
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
          {options}
          <Button
            size="sm"
            variant="default"
            disabled={disabled}
            leftSection={<IconFiles size={16} aria-hidden />}
            onClick={() => open.current?.()}
          >
            {t("order.drop.choose")}
          </Button>
          <FilePickerButton kind="folder" disabled={disabled} onChosen={onChosen} />
        </Group>
      </Group>
    </Dropzone>
  );
}

/** A queue for the lifetime of the component. It reports to the newest handlers. */
export function useUploadQueue(onFinished: FileDropProps["onFinished"], onBusy: FileDropProps["onBusy"]): UploadQueue {
  const session = use(UploadSessionContext);
  const [queue] = useState(() => new UploadQueue(session));
  const onBusyRef = useRef(onBusy);
  const arrived = useRef<FinishedFile[]>([]);
  useEffect(() => {
    onBusyRef.current = onBusy;
    queue.setHandlers({
      onArrived: (file) => arrived.current.push(file),
      onIdle: () => {
        queue.removeDone();
        const files = arrived.current.splice(0);
        if (files.length > 0) onFinished(files);
      },
    });
  });
  const isBusy = useStore(queue.files).some(({ state }) => state !== "refused");
  useEffect(() => () => queue.detach(), [queue]);
  useEffect(() => {
    onBusyRef.current?.(isBusy);
    if (!isBusy) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", preventUnload);
    return () => removeEventListener("beforeunload", preventUnload);
  }, [isBusy]);
  return queue;
}
