import { ActionIcon, Anchor, Button, Group, Input, Loader, Modal, Progress, Stack, Text } from "@mantine/core";
import { IconCamera, IconFile, IconPlayerPlay, IconUpload, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder, WorkorderFile } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { formatBytes } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { useFileUploads } from "./use-file-uploads.ts";
import type { FileUpload } from "./use-file-uploads.ts";
import classes from "./workorder.module.css";

interface Props {
  order: Workorder;
  kind: WorkorderFileRole;
  mayAdd: boolean;
}
const acceptByRole: Partial<Record<WorkorderFileRole, string>> = {
  picture: "image/jpeg,image/png",
  receipt: "image/jpeg,image/png,application/pdf",
};

/** Without these the finished work is not accepted. */
const neededRoles: readonly WorkorderFileRole[] = ["picture", "receipt"];

/** The files of one role: images as tiles, running uploads with their progress, buttons for camera and files. */
export function WorkorderFiles({ order, kind, mayAdd }: Props) {
  const t = useTexts("workorder");
  const fileUploads = useFileUploads(order);
  const mine = new Set(fileUploads.going.map(({ id }) => id));
  const files = order.files.filter((file) => file.role === kind && !mine.has(file.id));
  const pictureLimits = workorderRules.pictures[order.type];
  const left = workorderRules.allBytes - order.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const count = order.files.filter((file) => file.role === "picture").length;
  const choose = (chosen: File[]) => {
    const fitting = chosen.filter(({ size }) => size <= workorderRules.fileBytes);
    for (const { name } of chosen.filter((one) => !fitting.includes(one)))
      toast("error", t("refusals.workorderFileTooLarge", { name, most: workorderRules.fileBytes / 1e6 }));
    void fileUploads.add(kind, fitting);
  };
  return (
    <Stack gap="sm">
      <Input.Label component="div" labelElement="div" required={mayAdd && neededRoles.includes(kind)}>
        {t(`workorder.role.${kind}`)}
      </Input.Label>
      {files.length + fileUploads.going.length > 0 ? (
        <div className={classes.pictures}>
          {files.map((file) => (
            <FileTile key={file.id} order={order.id} file={file} />
          ))}
          {fileUploads.going.map((one) => (
            <RunningUpload
              key={one.key}
              one={one}
              onCancel={() => void fileUploads.cancel(one)}
              onResume={() => fileUploads.goOn(one)}
            />
          ))}
        </div>
      ) : (
        !mayAdd && (
          <Text size="sm" c="dimmed">
            {t("workorder.files.none")}
          </Text>
        )
      )}
      {mayAdd && (
        <>
          <Group gap="sm">
            <FileChooser label={t("workorder.files.camera")} camera accept="image/*" onChosen={choose} />
            <FileChooser label={t("workorder.files.choose")} accept={acceptByRole[kind]} onChosen={choose} />
          </Group>
          <Text size="xs" c="dimmed" aria-live="polite">
            {kind === "picture"
              ? t("workorder.files.left", {
                  count,
                  least: pictureLimits.min,
                  most: pictureLimits.max,
                  mb: Math.floor(left / 1e6),
                })
              : t("workorder.files.limit", { mb: workorderRules.fileBytes / 1e6 })}
          </Text>
        </>
      )}
    </Stack>
  );
}

interface FileChooserProps {
  label: string;
  camera?: boolean;
  accept: string | undefined;
  onChosen: (files: File[]) => void;
}
function FileChooser({ label, camera = false, accept, onChosen }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const Icon = camera ? IconCamera : IconUpload;
  return (
    <>
      <Button variant="default" leftSection={<Icon size={18} aria-hidden />} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        multiple={!camera}
        {...(camera && { capture: "environment" as const })}
        {...(accept && { accept })}
        onChange={(event) => {
          onChosen([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

function FileTile({ order, file }: { order: string; file: WorkorderFile }) {
  const t = useTexts("workorder");
  const [opened, setOpened] = useState(false);
  const remove = useCommand(workorderCalls.removeFile);
  const { name, thumbnail, shown, url, isHere, mayRemove } = file;
  return (
    <div className={classes.picture}>
      {thumbnail && shown ? (
        <button type="button" className={classes.look} onClick={() => setOpened(true)}>
          <img src={thumbnail} alt={t("workorder.files.picture", { name })} />
        </button>
      ) : (
        <Stack gap={2} p={6} justify="center" h="100%">
          {isHere ? <IconFile size={24} stroke={1.5} aria-hidden /> : <Loader size="xs" />}
          {url ? (
            <Anchor href={url} size="xs" className={classes.line} aria-label={t("workorder.files.download", { name })}>
              {name}
            </Anchor>
          ) : (
            <Text size="xs" className={classes.line}>
              {name}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {isHere ? formatBytes(file.bytes) : t("workorder.files.broken")}
          </Text>
        </Stack>
      )}
      {mayRemove && (
        <ActionIcon
          className={classes.over}
          variant="default"
          size="sm"
          aria-label={t("workorder.files.remove", { name })}
          loading={remove.busy}
          onClick={() => void remove.run({ id: order, fileId: file.id })}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        size="xl"
        title={name}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Stack>
          {shown && <img src={shown} alt={t("workorder.files.picture", { name })} className={classes.large} />}
          {url && (
            <Anchor href={url} size="sm">
              {t("workorder.files.download", { name })}
            </Anchor>
          )}
        </Stack>
      </Modal>
    </div>
  );
}

function RunningUpload({ one, onCancel, onResume }: { one: FileUpload; onCancel: () => void; onResume: () => void }) {
  const t = useTexts("workorder");
  const { name } = one.file;
  const percent = Math.floor(one.share * 100);
  return (
    <div className={classes.picture}>
      <Stack gap={4} p={6} justify="flex-end" h="100%">
        <Text size="xs" className={classes.line}>
          {name}
        </Text>
        {one.isBroken ? (
          <Button size="compact-xs" leftSection={<IconPlayerPlay size={12} aria-hidden />} onClick={onResume}>
            {t("workorder.files.goOn")}
          </Button>
        ) : (
          <>
            <Progress value={percent} size="sm" aria-label={name} />
            <Text size="xs" c="dimmed">
              {t("workorder.files.sending", { percent })}
            </Text>
          </>
        )}
      </Stack>
      <ActionIcon
        className={classes.over}
        variant="default"
        size="sm"
        aria-label={t("workorder.files.cancel", { name })}
        onClick={onCancel}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
