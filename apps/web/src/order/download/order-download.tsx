import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { archiveLayouts, downloadCalls } from "@arcada/contract/order/download.calls";
import type { ArchiveLayout } from "@arcada/contract/order/download.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { findRights } from "@arcada/contract/order/receiver-rights";
import { Choice } from "../../ui/form/choice-field.tsx";
import { formatBytes } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import classes from "./order-download.module.css";

/** True if volumes can be downloaded, as an archive; for a receiver only after the acceptance. */
export const canDownloadVolumes = (order: Order): boolean =>
  order.mine === "sender" || ["all", "forTime"].includes(findRights(order).downloads);

/** Downloads the files of an order, or some of them, as one archive. */
export function OrderDownload({ order }: { order: Order }) {
  const t = useTexts("order");
  const [isOpen, dialog] = useDisclosure(false);
  const files = order.files.filter(({ id, url, studyId }) => url || (studyId === id && canDownloadVolumes(order)));
  if (files.length === 0) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={dialog.open}>
        {t("order.take.action")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="lg"
        title={t("order.take.title", { number: order.number })}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <FileSelection order={order} files={files} onClose={dialog.close} />
      </Modal>
    </>
  );
}

interface FileSelectionProps {
  order: Order;
  files: Order["files"];
  onClose: () => void;
}
function FileSelection({ order, files, onClose }: FileSelectionProps) {
  const t = useTexts("order");
  const [chosen, setChosen] = useState<string[]>(() => files.map(({ id }) => id));
  const [layout, setLayout] = useState<ArchiveLayout>("folders");
  const download = useCommand(downloadCalls.download);
  const bytes = files.filter(({ id }) => chosen.includes(id)).reduce((sum, file) => sum + file.bytes, 0);
  const isAll = chosen.length === files.length;
  const start = async () => {
    const done = await download.run({ id: order.id, layout, ...(!isAll && { files: chosen }) });
    if (!done) return;
    location.assign(done.data.url);
    onClose();
  };
  return (
    <Stack gap="md">
      <Checkbox
        label={t("order.take.all", { count: files.length })}
        checked={isAll}
        indeterminate={chosen.length > 0 && !isAll}
        onChange={() => setChosen(isAll ? [] : files.map(({ id }) => id))}
      />
      <Checkbox.Group aria-label={t("order.detail.files")} value={chosen} onChange={setChosen}>
        <Stack gap="xs" className={classes.files}>
          {files.map((file) => (
            <Checkbox
              key={file.id}
              value={file.id}
              label={file.name}
              description={`${describeFile(file, order, t)} · ${formatBytes(file.bytes)}`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Choice
        label={t("order.take.layout")}
        value={layout}
        onChange={setLayout}
        options={archiveLayouts.map((value) => ({ value, label: t(`order.take.layouts.${value}`) }))}
      />
      <Text size="sm" c="dimmed">
        {t(layoutTexts[layout])}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={download.busy} disabled={chosen.length === 0} onClick={() => void start()}>
          {t("order.take.start", { size: formatBytes(bytes) })}
        </Button>
      </Group>
    </Stack>
  );
}

const layoutTexts = {
  folders: "order.take.text",
  exocad: "order.take.exocadText",
  threeShape: "order.take.threeShapeText",
} as const satisfies Record<ArchiveLayout, string>;

function describeFile(file: Order["files"][number], { revisions }: Order, t: ReturnType<typeof useTexts>): string {
  const revision = revisions.find(({ id }) => id === file.revisionId);
  return revision
    ? t(`order.detail.${revision.kind}Number`, { number: revision.number })
    : t(`order.role.${file.role}`);
}
