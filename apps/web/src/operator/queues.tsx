import { Badge } from "@mantine/core";
import type { Queue } from "@arcada/contract/operator/health.calls";
import { formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { NoteworthyRows } from "./noteworthy-rows.tsx";
import { EmptyState } from "../ui/page-states.tsx";

/** The waiting jobs by queue. Queue names are internal and not translated. */
export function Queues({ queues }: { queues: readonly Queue[] }) {
  const t = useTexts("operator");
  const columns: Column<Queue>[] = [
    { key: "name", title: t("operator.queue.name"), narrow: "head", show: ({ name }) => <code>{name}</code> },
    ...(["waiting", "active"] as const).map((key): Column<Queue> => ({
      key,
      title: t(`operator.queue.${key}`),
      align: "end",
      show: (row) => <span className="arcada-figures">{row[key]}</span>,
    })),
    {
      key: "failed",
      title: t("operator.queue.failed"),
      align: "end",
      show: ({ failed }) =>
        failed > 0 ? (
          <Badge color="red" variant="light">
            {failed}
          </Badge>
        ) : (
          <span className="arcada-figures">0</span>
        ),
    },
    {
      key: "oldest",
      title: t("operator.queue.oldest"),
      align: "end",
      show: ({ oldest }) => (
        <span className="arcada-figures">{t("operator.seconds", { value: formatNumber(oldest) })}</span>
      ),
    },
  ];
  return queues.length === 0 ? (
    <EmptyState title={t("operator.queue.none")} />
  ) : (
    <NoteworthyRows
      rows={queues}
      isNoteworthy={({ waiting, active, failed }) => waiting + active + failed > 0}
      quiet={(count) => t("operator.queue.quiet", { count })}
    >
      {(rows) => (
        <DataTable label={t("operator.health.queues")} columns={columns} rows={rows} rowKey={({ name }) => name} />
      )}
    </NoteworthyRows>
  );
}
