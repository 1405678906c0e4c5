import { Button, Loader, Progress, Text } from "@mantine/core";
import { Suspense, useEffect, useState } from "react";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { type Study } from "@arcada/contract/study/study.schema";
import { ask } from "../data/ask.ts";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { Failed } from "./ui/page/status-messages.tsx";
import states from "./ui/page/status-messages.module.css";
import styles from "./study-conversion-status.module.css";

/** Polling interval in ms: no live event reaches a reader of another institution. */
const pollIntervalMs = 1500;

/** A study without its derived files: if they had been removed they are made again at once, with their progress. */
export function StudyConversionStatus({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { id, state } = study;
  const [isStopped, setStopped] = useState(false);
  const stop = useCommand(uploadJobCalls.cancelJob);
  const conversion = useCall(conversionCalls.conversion, { id }, { pollMs: pollIntervalMs }).data;
  useEffect(() => {
    if (state === "unconverted" && !isStopped) requestConversion(id);
  }, [id, state, isStopped]);
  const isFinished = conversion?.isShown || conversion?.state === "failed";
  useEffect(() => {
    if (isFinished) notifyCommandSuccess(conversionCalls.convert);
  }, [isFinished]);
  const retry = () => {
    setStopped(false);
    requestConversion(id);
  };
  if (state === "failed" && isDamaged(study))
    return (
      <Suspense>
        <DamagedFileError onRetry={retry} />
      </Suspense>
    );
  if (state === "failed") return <Failed label={t("viewer.preparing.failed")} onRetry={retry} />;
  if (isStopped) return <Failed label={t("viewer.preparing.stopped")} onRetry={retry} />;
  const label = conversion?.again || state === "unconverted" ? t("viewer.preparing.again") : t("viewer.converting");
  const { job = null, progress = 0 } = conversion ?? {};
  return (
    <div className={states.state} role="status">
      <Loader size="sm" />
      <Text size="sm" className={styles.words}>
        {label}
      </Text>
      <Progress className={states.bar} value={isFinished ? 100 : progress * 100} size="sm" aria-label={label} />
      {job && (
        <Button
          size="xs"
          variant="light"
          loading={stop.busy}
          onClick={() => {
            setStopped(true);
            void stop.run({ id: job });
          }}
        >
          {t("viewer.preparing.stop")}
        </Button>
      )}
    </div>
  );
}

function DamagedFileError({ onRetry }: { onRetry: () => void }) {
  const t = useTexts("refusals");
  return <Failed label={t("refusals.fileDamaged")} onRetry={onRetry} />;
}

const isDamaged = ({ series }: Study): boolean =>
  series.some(
    ({ instances, problems }) =>
      instances.some(({ fault }) => fault === "fileDamaged") || problems.some(({ code }) => code === "fileDamaged"),
  );

/** Requested twice it is one job; a refusal is shown by `ask`. */
const requestConversion = (id: string): void =>
  void ask(conversionCalls.convert, { id }).then(
    () => notifyCommandSuccess(conversionCalls.convert),
    () => {},
  );

/** Notes that a part of a study could not be prepared for viewing. */
export function PartialConversionNotice({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const command = useCommand(conversionCalls.convert);
  if (study.state === "converting" || !isIncomplete(study)) return null;
  return (
    <div className={styles.partly} role="status">
      <Text size="xs">{t("viewer.preparing.partly")}</Text>
      <Button
        size="compact-xs"
        variant="light"
        loading={command.busy}
        onClick={() => void command.run({ id: study.id })}
      >
        {t("viewer.again")}
      </Button>
    </div>
  );
}

const isIncomplete = ({ series }: Study): boolean =>
  series.some(
    (one) =>
      (one.kind === "volume" && !one.volume?.groups.every(Boolean)) ||
      one.instances.some(({ fault }) => fault !== null),
  );
