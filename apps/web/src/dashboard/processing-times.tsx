import { Anchor, Stack, Text } from "@mantine/core";
import { orderDurations } from "@arcada/contract/dashboard/dashboard.calls";
import type { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { FigureBar } from "./figure-bar.tsx";
import { formatDuration } from "./figure-text.ts";

export type Figures = Output<typeof dashboardCalls.period>;
interface TimeRow {
  key: string;
  name: string;
  count: number;
  median: number | null;
  late: number | null;
}

/** The processing times of the orders that were completed in the chosen period. */
export function ProcessingTimes({ figures, side }: { figures: Figures; side: "sender" | "receiver" }) {
  const t = useTexts("dashboard");
  const spanRows = orderDurations.map((span) => ({
    key: span,
    name: t(`dashboard.span.${span}`),
    ...figures.spans[span],
  }));
  if (figures.spans.whole.count === 0)
    return (
      <Section title={t("dashboard.times.title")} flush>
        <EmptyState title={t("dashboard.times.none")} />
      </Section>
    );
  return (
    <Stack gap="lg">
      <Section title={t("dashboard.times.title")} description={t("dashboard.times.says")} flush>
        <TimeTable rows={spanRows} label={t("dashboard.times.title")} nameTitle={t("dashboard.times.way")} />
      </Section>
      <Section title={t(`dashboard.partners.${side}`)} flush>
        <Partners figures={figures} side={side} />
      </Section>
    </Stack>
  );
}

function TimeTable({ rows, label, nameTitle }: { rows: readonly TimeRow[]; label: string; nameTitle: string }) {
  const t = useTexts("dashboard");
  const maximum = Math.max(...rows.map(({ late }) => late ?? 0));
  const columns: Column<TimeRow>[] = [
    { key: "name", title: nameTitle, narrow: "head", show: ({ name }) => name },
    ...buildTimeColumns<TimeRow>(t),
    {
      key: "bar",
      title: "",
      width: 200,
      narrow: "none",
      show: ({ median, late }) => <FigureBar value={median ?? 0} late={late ?? 0} maximum={maximum} />,
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
    ...buildTimeColumns<Figures["partners"][number]>(t),
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

const buildTimeColumns = <T extends Pick<TimeRow, "count" | "median" | "late">>(t: Translate): Column<T>[] => [
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
        {formatDuration(row[key], t)}
      </Text>
    ),
  })),
];
