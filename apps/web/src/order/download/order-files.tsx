import { ActionIcon, Button, Text, Tooltip } from "@mantine/core";
import { IconCube, IconDownload, IconEye, IconFile, IconFileText, IconPhoto } from "@tabler/icons-react";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { studyDownloadCalls } from "@arcada/contract/study/study-download.calls";
import { formatBytes } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { isModelFile } from "../actions/action-input.ts";
import { listModels, scansSetId } from "../models/model-sets.ts";
import { canDownloadVolumes } from "./order-download.tsx";
import type { OrderPins } from "../models/use-order-pins.ts";
import classes from "../detail/order-detail.module.css";

type OrderFile = Order["files"][number];

interface OrderFilesProps {
  order: Order;
  pins: OrderPins;
  onShow: (set: string) => void;
}

/** The files of the order itself. Files of revisions and messages are listed with those. */
export function OrderFiles({ order, pins, onShow }: OrderFilesProps) {
  const t = useTexts("order");
  const files = order.files.filter(({ revisionId, messageId }) => revisionId === null && messageId === null);
  return (
    <Section
      title={t("order.detail.files")}
      flush={files.length > 0}
      actions={
        files.some(({ name, url }) => url && isModelFile(name)) && (
          <ShowModelsButton
            openPins={pins.countUnresolved(listModels(order, null))}
            onShow={() => onShow(scansSetId)}
          />
        )
      }
    >
      {files.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(order.prescription.noDigitalFiles ? "order.detail.physical" : "order.detail.noFiles")}
        </Text>
      ) : (
        <FileRows orderId={order.id} files={files} allowsVolumes={canDownloadVolumes(order)} />
      )}
    </Section>
  );
}

/** `openPins`: the number of unsettled comments at these models. */
export function ShowModelsButton({ openPins, onShow }: { openPins: number; onShow: () => void }) {
  const t = useTexts("order", "orderDetail");
  return (
    <Button size="compact-sm" variant="light" leftSection={<IconCube size={15} aria-hidden />} onClick={onShow}>
      {openPins > 0
        ? t("orderDetail.pins.show", { what: t("order.detail.modelsShow"), count: openPins })
        : t("order.detail.modelsShow")}
    </Button>
  );
}

interface FileRowsProps {
  orderId: string;
  files: readonly OrderFile[];
  allowsVolumes?: boolean;
  /** The warning before the download of files that must not be made. */
  warning?: string;
}

export function FileRows({ orderId, files, allowsVolumes = false, warning }: FileRowsProps) {
  return (
    <ul className={classes.files}>
      {files.map((file) => (
        <FileRow key={file.id} orderId={orderId} file={file} allowsVolume={allowsVolumes} warning={warning} />
      ))}
    </ul>
  );
}

interface FileRowProps {
  orderId: string;
  file: OrderFile;
  allowsVolume: boolean;
  warning: string | undefined;
}
function FileRow({ orderId, file, allowsVolume, warning }: FileRowProps) {
  const t = useTexts("order");
  return (
    <li className={classes.file}>
      <span className={classes.thumbnail}>
        {file.thumbnailUrl ? <img src={file.thumbnailUrl} alt="" loading="lazy" /> : <FileIcon file={file} />}
      </span>
      <span className={classes.fileWords}>
        <Text component="span" size="sm" truncate display="block" title={file.name}>
          {file.name}
        </Text>
        <Text component="span" size="xs" c="dimmed" display="block">
          {t(`order.role.${file.role}`)} · {formatBytes(file.bytes)}
        </Text>
      </span>
      {file.studyId && (
        <Tooltip label={t("order.detail.view")}>
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            component={ScreenLink}
            screen={file.role === "ct" ? "ctViewer" : "viewer"}
            search={{ study: file.studyId, item: file.id === file.studyId ? undefined : file.id, order: orderId }}
            aria-label={t("order.detail.viewName", { name: file.name })}
          >
            <IconEye size={19} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {file.url && warning ? (
        <WarnedDownload url={file.url} name={file.name} warning={warning} />
      ) : file.url ? (
        <Tooltip label={t("common.download")}>
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            component="a"
            href={file.url}
            download={file.name}
            aria-label={t("order.detail.downloadName", { name: file.name })}
          >
            <IconDownload size={19} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : allowsVolume && file.studyId === file.id ? (
        <VolumeDownload study={file.studyId} name={file.name} />
      ) : (
        <span className={classes.noDownload} />
      )}
    </li>
  );
}

/** A download of an outdated design, which the user must confirm after a warning. */
function WarnedDownload({ url, name, warning }: { url: string; name: string; warning: string }) {
  const t = useTexts("order", "orderDetail");
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Tooltip label={t("common.download")}>
        <ActionIcon
          size={36}
          variant="subtle"
          color="gray"
          aria-label={t("order.detail.downloadName", { name })}
          onClick={() => setConfirming(true)}
        >
          <IconDownload size={19} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          location.assign(url);
        }}
        title={t("orderDetail.revision.oldTitle")}
        text={warning}
        confirm={t("orderDetail.revision.oldTake")}
        danger
      />
    </>
  );
}

/** A volume is a study of many files, which download as one archive. */
function VolumeDownload({ study, name }: { study: string; name: string }) {
  const t = useTexts("order");
  const download = useCommand(studyDownloadCalls.download);
  const start = async () => {
    const made = await download.run({ studies: [study] });
    if (made) location.assign(made.data.url);
  };
  return (
    <Tooltip label={t("common.download")}>
      <ActionIcon
        size={36}
        variant="subtle"
        color="gray"
        loading={download.busy}
        aria-label={t("order.detail.downloadName", { name })}
        onClick={() => void start()}
      >
        <IconDownload size={19} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function FileIcon({ file }: { file: OrderFile }) {
  const Icon = isModelFile(file.name)
    ? IconCube
    : file.role === "document"
      ? IconFileText
      : file.role === "photo" || file.role === "image"
        ? IconPhoto
        : IconFile;
  return <Icon size={22} stroke={1.3} aria-hidden />;
}
