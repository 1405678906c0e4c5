import { ActionIcon, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconAlertCircle, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from "@tabler/icons-react";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { QueuedFile, UploadQueue } from "./upload-queue.ts";
import classes from "./file-drop.module.css";

/** A CBCT has hundreds of files: the rejected ones and the first few others are listed, the rest counted. */
const maxListed = 6;

interface FileDropListProps {
  queue: UploadQueue;
  /** Replaces the default, which cancels only the files that have not arrived. */
  onCancel?: () => void;
  /** True if it is already inside a card. */
  bare?: boolean;
  /** The share of the upload in a longer process; the bar ends there. */
  progressShare?: number;
}

/** The progress of the files in a queue, in total and for each. */
export function FileDropList({
  queue,
  onCancel = () => queue.cancelAll(),
  bare = false,
  progressShare = 1,
}: FileDropListProps) {
  const t = useTexts("order");
  const files = useStore(queue.files);
  const refused = files.filter(({ state }) => state === "refused");
  const accepted = files.filter(({ state }) => state !== "refused");
  if (files.length === 0) return null;
  const pending = accepted.filter(({ state }) => state !== "done");
  const listed = pending.toSorted((a, b) => getRank(a) - getRank(b)).slice(0, maxListed);
  return (
    <Stack gap={8} {...(!bare && { className: classes.list })}>
      {pending.length > 0 && (
        <TotalProgress queue={queue} files={accepted} progressShare={progressShare} onCancel={onCancel} />
      )}
      {listed.map((file) => (
        <FileRow key={file.key} file={file} queue={queue} />
      ))}
      {pending.length > listed.length && (
        <Text size="xs" c="dimmed">
          {t("order.drop.more", { count: pending.length - listed.length })}
        </Text>
      )}
      {refused.map((file) => (
        <FileRow key={file.key} file={file} queue={queue} />
      ))}
    </Stack>
  );
}

const getRank = (file: QueuedFile): number => (file.state === "running" ? 0 : 1);
const getPercent = (sent: number, bytes: number): number => (bytes === 0 ? 100 : Math.floor((100 * sent) / bytes));

interface TotalProgressProps {
  queue: UploadQueue;
  files: readonly QueuedFile[];
  progressShare: number;
  onCancel: () => void;
}
function TotalProgress({ queue, files, progressShare, onCancel }: TotalProgressProps) {
  const t = useTexts("order");
  const paused = useStore(queue.paused);
  const sum = (pick: (file: QueuedFile) => number) => files.reduce((total, file) => total + pick(file), 0);
  const bytes = sum((file) => file.bytes);
  const percent =
    bytes === 0 ? Math.floor(100 * progressShare) : Math.floor((100 * progressShare * sum(({ sent }) => sent)) / bytes);
  const done = files.filter(({ state }) => state === "done").length;
  const label = t(paused ? "order.drop.pausedAt" : "order.drop.uploading", { done, total: files.length, percent });
  return (
    <Group gap="xs" wrap="nowrap">
      <Stack gap={4} flex={1} miw={0}>
        <Text size="sm" fw={550} className="arcada-figures" aria-live="polite">
          {label}
        </Text>
        <Progress value={percent} size="sm" aria-label={label} {...(paused && { color: "gray" })} />
      </Stack>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
        onClick={() => (paused ? queue.resume() : queue.pause())}
      >
        {t(paused ? "order.drop.resume" : "order.drop.pause")}
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
    </Group>
  );
}

function FileRow({ file, queue }: { file: QueuedFile; queue: UploadQueue }) {
  const t = useTexts("order");
  const isRefused = file.state === "refused";
  const percent = getPercent(file.sent, file.bytes);
  return (
    <Group gap="xs" wrap="nowrap" className={classes.row} data-refused={isRefused || undefined}>
      {isRefused && <IconAlertCircle size={16} aria-hidden />}
      <div className={classes.words}>
        <Text size="xs" truncate title={file.name}>
          {file.name}
        </Text>
        {isRefused && (
          <Text size="xs" className={classes.problem} role="alert">
            {file.problem}
          </Text>
        )}
      </div>
      {!isRefused && (
        <>
          <Progress value={percent} size="xs" w={90} aria-label={file.name} />
          <Text size="xs" c="dimmed" w={36} ta="end" className="arcada-figures">
            {percent}%
          </Text>
        </>
      )}
      {isRefused && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("order.drop.again", { name: file.name })}
          onClick={() => queue.retry(file.key)}
        >
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t("order.drop.remove", { name: file.name })}
        onClick={() => queue.cancel(file.key)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
