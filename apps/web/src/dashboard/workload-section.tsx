import type { Workload } from "@arcada/contract/dashboard/trends.schema";
import type { DayRange } from "@arcada/contract/dashboard/trend-buckets";
import { addDays } from "@arcada/contract/kernel/time-zone";
import { unfinishedStates } from "@arcada/contract/order/order-today.calls";
import type { SearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { LinkedFigure } from "./charts/chart-section.tsx";
import { FigureBar } from "./figure-bar.tsx";
import { formatDuration, formatShare } from "./figure-text.ts";

interface Props {
  people: readonly Workload[];
  period: DayRange;
  today: string;
  side: "sender" | "receiver";
  orders: SearchParams;
}

/** The open orders of each person, and those that they completed in the period. Each figure opens its orders. */
export function WorkloadSection({ people, period, today, side, orders }: Props) {
  const t = useTexts("dashboard");
  const title = t(`dashboard.people.${side}`);
  return (
    <Section title={title} description={t("dashboard.people.says")} flush>
      {people.length === 0 ? (
        <EmptyState title={t("dashboard.people.none")} />
      ) : (
        <DataTable
          label={title}
          columns={buildColumns(t, people, toLinks(period, today, orders))}
          rows={people}
          rowKey={({ id }) => id ?? "nobody"}
        />
      )}
    </Section>
  );
}

type Link = (one: Workload) => SearchParams | undefined;
/** The list finds orders by their person in charge; it has no filter for those without one. */
function toLinks(
  period: DayRange,
  today: string,
  orders: SearchParams,
): Record<"open" | "overdue" | "completed" | "late", Link> {
  const of =
    (filter: SearchParams): Link =>
    ({ id }) =>
      id === null ? undefined : { ...orders, personId: id, ...filter };
  const open = { states: unfinishedStates.join(",") };
  const completed = { completedFrom: period.from, completedTo: period.to };
  return {
    open: of(open),
    overdue: of({ ...open, dueTo: addDays(today, -1) }),
    completed: of(completed),
    late: of({ ...completed, delivered: "late" }),
  };
}

function buildColumns(
  t: Translate,
  people: readonly Workload[],
  links: ReturnType<typeof toLinks>,
): Column<Workload>[] {
  const maximum = Math.max(...people.map(({ open }) => open));
  const figure = (key: keyof typeof links, title: string, read: (one: Workload) => number): Column<Workload> => ({
    key,
    title,
    align: "end",
    show: (one) => <LinkedFigure text={String(read(one))} search={read(one) > 0 ? links[key](one) : undefined} />,
  });
  return [
    {
      key: "name",
      title: t("dashboard.people.name"),
      narrow: "head",
      show: ({ id, name }) => <bdi>{id === null ? t("dashboard.people.nobody") : name}</bdi>,
    },
    figure("open", t("dashboard.people.openNow"), ({ open }) => open),
    figure("overdue", t("dashboard.people.overdue"), ({ overdue }) => overdue),
    {
      key: "bar",
      title: "",
      width: 160,
      narrow: "none",
      show: ({ open, overdue }) => <FigureBar value={overdue} late={open} maximum={maximum} isAlert />,
    },
    figure("completed", t("dashboard.people.completed"), ({ completed }) => completed),
    figure("late", t("dashboard.people.late"), ({ late }) => late),
    {
      key: "share",
      title: t("dashboard.late.share"),
      align: "end",
      show: ({ late, dated }) => <span className="arcada-figures">{formatShare(late, dated, t)}</span>,
    },
    {
      key: "median",
      title: t("dashboard.turnaround.median"),
      align: "end",
      show: ({ median }) => <span className="arcada-figures">{formatDuration(median, t)}</span>,
    },
  ];
}
