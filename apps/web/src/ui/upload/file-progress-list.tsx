import { ActionIcon, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { IconAlertCircle, IconCheck, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from "@tabler/icons-react";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { QueuedFile, UploadQueue } from "./upload-queue.ts";
import classes from "./file-drop.module.css";

/** A CBCT has hundreds of files, of which only the first are listed until the user asks for all. */
const maxListed = 50;

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
  const [isWhole, setWhole] = useState(false);
  const refused = files.filter(({ state }) => state === "refused");
  const accepted = files.filter(({ state }) => state !== "refused");
  if (files.length === 0) return null;
  const pending = accepted.filter(({ state }) => state !== "done");
  const ranked = accepted.toSorted((a, b) => getRank(a) - getRank(b));
  const listed = isWhole ? ranked : ranked.slice(0, maxListed);
  return (
    <Stack gap={8} {...(!bare && { className: classes.list })}>
      {pending.length > 0 && (
        <TotalProgress queue={queue} files={accepted} progressShare={progressShare} onCancel={onCancel} />
      )}
      {pending.length > 0 && (
        <div className={classes.files} tabIndex={0} role="group" aria-label={t("order.drop.files")}>
          {listed.map((file) => (
            <FileRow key={file.key} file={file} queue={queue} />
          ))}
          {ranked.length > listed.length && (
            <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
              {t("order.drop.showAll", { count: ranked.length - listed.length })}
            </Button>
          )}
        </div>
      )}
      {refused.map((file) => (
        <FileRow key={file.key} file={file} queue={queue} />
      ))}
    </Stack>
  );
}

/** Files on their way first, then those that wait, then those that have arrived. */
const getRank = ({ state }: QueuedFile): number => (state === "running" ? 0 : state === "done" ? 2 : 1);
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
  const isDone = file.state === "done";
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
      {isDone && <IconCheck size={16} className={classes.arrived} role="img" aria-label={t("order.drop.done")} />}
      {!isRefused && !isDone && (
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
      {!isDone && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("order.drop.remove", { name: file.name })}
          onClick={() => queue.cancel(file.key)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
