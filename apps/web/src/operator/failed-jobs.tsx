import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { FailedJob } from "@arcada/contract/operator/health.calls";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";

/** Failed jobs with their reasons, to retry or to discard. */
export function FailedJobs({ failed }: { failed: number }) {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.failedJobs, {}, { enabled: failed > 0 });
  if (failed === 0) return null;
  return (
    <Section title={t("operator.failed.title")} description={t("operator.failed.says")} flush>
      <QueryResult of={query}>
        {(jobs) => (
          <DataTable
            label={t("operator.failed.title")}
            columns={[
              {
                key: "queue",
                title: t("operator.queue.name"),
                narrow: "head",
                show: ({ queue }) => <code>{queue}</code>,
              },
              {
                key: "error",
                title: t("operator.failed.error"),
                show: ({ error }) => <Text size="sm">{error || "–"}</Text>,
              },
              {
                key: "tries",
                title: t("operator.failed.tries"),
                align: "end",
                show: ({ tries }) => <span className="arcada-figures">{tries}</span>,
              },
              {
                key: "at",
                title: t("operator.when"),
                show: ({ failedAt }) => <span className="arcada-figures">{formatTimestamp(failedAt)}</span>,
              },
            ]}
            rows={jobs}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(job) => <JobActions job={job} />}
          />
        )}
      </QueryResult>
    </Section>
  );
}

function JobActions({ job: { queue, id } }: { job: FailedJob }) {
  const t = useTexts("operator");
  const [isConfirming, setConfirming] = useState(false);
  const retry = useCommand(operatorCalls.retryJob);
  const remove = useCommand(operatorCalls.removeJob);
  const retryJob = async () => {
    if (await retry.run({ queue, id })) toast("success", t("operator.failed.retried"));
  };
  const removeJob = async () => {
    const done = await remove.run({ queue, id });
    setConfirming(false);
    if (done) toast("success", t("operator.failed.removed"));
  };
  return (
    <>
      <Button size="xs" variant="default" loading={retry.busy} onClick={() => void retryJob()}>
        {t("operator.failed.retry")}
      </Button>
      <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
        {t("common.remove")}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => void removeJob()}
        danger
        busy={remove.busy}
        title={t("operator.failed.removeTitle")}
        text={t("operator.failed.removeText")}
        confirm={t("common.remove")}
      />
    </>
  );
}
