import { Badge, Text } from "@mantine/core";
import type { RepeatedTask } from "@arcada/contract/operator/health.calls";
import { formatNumber, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { NoteworthyRows } from "./noteworthy-rows.tsx";
import { EmptyState } from "../ui/page-states.tsx";

const isLate = ({ age, toleratedSeconds }: RepeatedTask): boolean => age > toleratedSeconds;

/** The work that is repeated beside the queues. Task names and errors are internal and not translated. */
export function RepeatedTasks({ tasks }: { tasks: readonly RepeatedTask[] }) {
  const t = useTexts("operator");
  const columns: Column<RepeatedTask>[] = [
    {
      key: "name",
      title: t("operator.task.name"),
      narrow: "head",
      show: ({ name, error, failures }) => (
        <>
          <code>{name}</code>
          {failures > 0 && error !== null && (
            <Text size="xs" c="dimmed" dir="ltr">
              {error}
            </Text>
          )}
        </>
      ),
    },
    {
      key: "state",
      title: t("operator.task.state"),
      show: (task) =>
        isLate(task) ? (
          <Badge color="red" variant="light">
            {t("operator.task.late")}
          </Badge>
        ) : (
          t("operator.task.onTime")
        ),
    },
    {
      key: "every",
      title: t("operator.task.every"),
      align: "end",
      show: ({ everySeconds }) => (
        <span className="arcada-figures">{t("operator.seconds", { value: formatNumber(everySeconds) })}</span>
      ),
    },
    {
      key: "success",
      title: t("operator.task.success"),
      show: ({ succeededAt }) => (
        <span className="arcada-figures">
          {succeededAt === null ? t("operator.health.never") : formatTimestamp(succeededAt)}
        </span>
      ),
    },
    {
      key: "failures",
      title: t("operator.task.failures"),
      align: "end",
      show: ({ failures }) => <span className="arcada-figures">{formatNumber(failures)}</span>,
    },
  ];
  return tasks.length === 0 ? (
    <EmptyState title={t("operator.task.none")} />
  ) : (
    <NoteworthyRows
      rows={tasks}
      isNoteworthy={(task) => isLate(task) || task.failures > 0}
      quiet={(count) => t("operator.task.quiet", { count })}
    >
      {(rows) => (
        <DataTable label={t("operator.health.tasks")} columns={columns} rows={rows} rowKey={({ name }) => name} />
      )}
    </NoteworthyRows>
  );
}
