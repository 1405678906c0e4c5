import { Anchor, Stack, Text } from "@mantine/core";
import { spans } from "@arcada/contract/dashboard/dashboard.calls";
import type { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { showNumber } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { Bar } from "./bar.tsx";

export type Figures = Output<typeof dashboardCalls.period>;
interface Row {
  key: string;
  name: string;
  count: number;
  median: number | null;
  late: number | null;
}

/** The processing times of the orders that were completed in the chosen period. */
export function Times({ figures, side }: { figures: Figures; side: "sender" | "receiver" }) {
  const t = useTexts("dashboard");
  const named = spans.map((span) => ({ key: span, name: t(`dashboard.span.${span}`), ...figures.spans[span] }));
  const months = figures.months.map(({ month, ...times }) => ({ key: month, name: month, ...times }));
  if (figures.spans.whole.count === 0)
    return (
      <Section title={t("dashboard.times.title")} flush>
        <EmptyState title={t("dashboard.times.none")} />
      </Section>
    );
  return (
    <Stack gap="lg">
      <Section title={t("dashboard.times.title")} says={t("dashboard.times.says")} flush>
        <Timed rows={named} label={t("dashboard.times.title")} what={t("dashboard.times.way")} />
      </Section>
      <Section title={t("dashboard.months.title")} flush>
        <Timed rows={months} label={t("dashboard.months.title")} what={t("dashboard.months.month")} />
      </Section>
      <Section title={t(`dashboard.partners.${side}`)} flush>
        <Partners figures={figures} side={side} />
      </Section>
    </Stack>
  );
}

function Timed({ rows, label, what }: { rows: readonly Row[]; label: string; what: string }) {
  const t = useTexts("dashboard");
  const most = Math.max(...rows.map(({ late }) => late ?? 0));
  const columns: Column<Row>[] = [
    { key: "name", title: what, narrow: "head", show: ({ name }) => name },
    ...timeColumns<Row>(t),
    {
      key: "bar",
      title: "",
      width: 200,
      narrow: "none",
      show: ({ median, late }) => <Bar value={median ?? 0} late={late ?? 0} most={most} />,
    },
  ];
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ key }) => key} />;
}

function Partners({ figures: { partners }, side }: { figures: Figures; side: "sender" | "receiver" }) {
  const t = useTexts("dashboard");
  const columns: Column<Figures["partners"][number]>[] = [
    {
      key: "name",
      title: t("dashboard.partners.name"),
      narrow: "head",
      show: ({ id, name }) => (
        <Anchor component={ScreenLink} screen="orderList" search={{ otherIid: id }} size="sm">
          {name}
        </Anchor>
      ),
    },
    ...timeColumns<Figures["partners"][number]>(t),
    {
      key: "redeliveries",
      title: t("dashboard.again.redeliveries"),
      align: "end",
      show: ({ redeliveries }) => <span className="arcada-figures">{redeliveries}</span>,
    },
    {
      key: "remakes",
      title: t("dashboard.again.remakes"),
      align: "end",
      show: ({ remakes }) => <span className="arcada-figures">{remakes}</span>,
    },
  ];
  return (
    <DataTable label={t(`dashboard.partners.${side}`)} columns={columns} rows={partners} rowKey={({ id }) => id} />
  );
}

const timeColumns = <T extends Pick<Row, "count" | "median" | "late">>(t: Translate): Column<T>[] => [
  {
    key: "count",
    title: t("dashboard.times.count"),
    align: "end",
    show: ({ count }) => <span className="arcada-figures">{count}</span>,
  },
  ...(["median", "late"] as const).map((key): Column<T> => ({
    key,
    title: t(`dashboard.times.${key}`),
    align: "end",
    show: (row) => (
      <Text size="sm" span className="arcada-figures">
        {lasting(row[key], t)}
      </Text>
    ),
  })),
];

/** Formats a duration: minutes below an hour, hours up to two days, then days. */
function lasting(seconds: number | null, t: Translate): string {
  if (seconds === null) return "–";
  const hours = seconds / 3600;
  if (seconds < 30) return t("dashboard.noMinute");
  if (hours < 0.995) return t("dashboard.minutes", { value: showNumber(seconds / 60, 0) });
  return hours < 48
    ? t("dashboard.hours", { value: showNumber(hours, 1) })
    : t("dashboard.days", { value: showNumber(hours / 24, 1) });
}
