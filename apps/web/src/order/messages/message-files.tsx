import { ActionIcon, Modal, Text, UnstyledButton } from "@mantine/core";
import { IconCube, IconDownload, IconFile } from "@tabler/icons-react";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatBytes } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { isModelFile } from "../actions/action-input.ts";
import classes from "./messages.module.css";

type OrderFile = Order["files"][number];

/** The files of a message: images are shown, models open in 3D, all can be downloaded. */
export function MessageFiles({ files, onShow }: { files: readonly OrderFile[]; onShow: (set: string) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files}>
      {files.map((file) => (
        <li key={file.id}>
          {file.thumbnailUrl ? <ImageAttachment file={file} /> : <PlainAttachment file={file} onShow={onShow} />}
        </li>
      ))}
    </ul>
  );
}

function ImageAttachment({ file }: { file: OrderFile }) {
  const t = useTexts("order", "orderDetail");
  const [isOpen, open] = useState(false);
  return (
    <>
      <UnstyledButton
        className={classes.picture!}
        aria-label={t("orderDetail.message.open", { name: file.name })}
        onClick={() => open(true)}
      >
        <img src={file.thumbnailUrl ?? ""} alt="" loading="lazy" />
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={() => open(false)}
        size="auto"
        title={file.name}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <img className={classes.large} src={file.pictureUrl ?? file.thumbnailUrl ?? ""} alt={file.name} />
        <DownloadButton file={file} />
      </Modal>
    </>
  );
}

function PlainAttachment({ file, onShow }: { file: OrderFile; onShow: (set: string) => void }) {
  const t = useTexts("order");
  const isShown = file.url !== null && isModelFile(file.name);
  return (
    <span className={classes.file}>
      {isShown ? <IconCube size={18} stroke={1.5} aria-hidden /> : <IconFile size={18} stroke={1.5} aria-hidden />}
      <span className={classes.fileName}>
        <Text component="span" size="sm" truncate display="block" title={file.name}>
          {file.name}
        </Text>
        <Text component="span" size="xs" c="dimmed">
          {formatBytes(file.bytes)}
        </Text>
      </span>
      {isShown && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t("order.detail.viewName", { name: file.name })}
          onClick={() => onShow(file.id)}
        >
          <IconCube size={18} aria-hidden />
        </ActionIcon>
      )}
      <DownloadButton file={file} />
    </span>
  );
}

function DownloadButton({ file }: { file: OrderFile }) {
  const t = useTexts("order");
  if (!file.url) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      component="a"
      href={file.url}
      download={file.name}
      aria-label={t("order.detail.downloadName", { name: file.name })}
    >
      <IconDownload size={18} aria-hidden />
    </ActionIcon>
  );
}
