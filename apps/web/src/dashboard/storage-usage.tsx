import { Box, Stack, Text } from "@mantine/core";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { usageColour } from "@arcada/contract/capacity/capacity.rules";
import { formatBytes, formatDay, formatNumber } from "../i18n/format.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { UsageProgress } from "../ui/usage-bar.tsx";
import { FigureBar } from "./figure-bar.tsx";
import type { Figures } from "./processing-times.tsx";

/** The used storage and analyses. */
export function UsageSection({ analyses }: { analyses: number | null }) {
  const t = useTexts("dashboard", "capacity");
  const storage = useCall(capacityCalls.storage, {}).data;
  const mayAnalyse = useCanAccess(capacityCalls.analyses);
  const used = useCall(capacityCalls.analyses, {}, { enabled: mayAnalyse }).data;
  const formatGigabytes = (value: number) => formatNumber(value, value < 10 ? 2 : 1);
  return (
    <Section title={t("dashboard.usage")}>
      <Stack gap="md">
        {storage && (
          <UsageFigure
            name={t("capacity.storage")}
            text={t("capacity.of", { used: formatGigabytes(storage.totalSize), max: formatGigabytes(storage.maxSize) })}
            percent={storage.percent}
          />
        )}
        {used && (
          <UsageFigure
            name={t("dashboard.analyses")}
            text={t("dashboard.usedOf", { used: used.noi, total: used.total })}
            percent={used.percent}
          />
        )}
        {analyses !== null && (
          <Text size="sm" c="dimmed">
            {t("dashboard.analysesDone", { count: analyses })}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function UsageFigure({ name, text, percent }: { name: string; text: string; percent: number }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Box my={6}>
        <UsageProgress percent={percent} colour={usageColour(percent)} label={`${name}: ${text}`} size={8} />
      </Box>
      <Text size="sm" c="dimmed" className="arcada-figures">
        {text}
      </Text>
    </div>
  );
}

/** The uploaded data, week by week. */
export function UploadsSection({ uploads }: { uploads: Figures["uploads"] }) {
  const t = useTexts("dashboard");
  const maximum = Math.max(...uploads.map(({ bytes }) => bytes), 0);
  const columns: Column<Figures["uploads"][number]>[] = [
    {
      key: "week",
      title: t("dashboard.uploads.week"),
      narrow: "head",
      show: ({ week }) => <span className="arcada-figures">{formatDay(week)}</span>,
    },
    {
      key: "files",
      title: t("dashboard.uploads.files"),
      align: "end",
      show: ({ files }) => <span className="arcada-figures">{files}</span>,
    },
    {
      key: "bytes",
      title: t("dashboard.uploads.size"),
      align: "end",
      show: ({ bytes }) => <span className="arcada-figures">{formatBytes(bytes)}</span>,
    },
    {
      key: "bar",
      title: "",
      width: 200,
      narrow: "none",
      show: ({ bytes }) => <FigureBar value={bytes} maximum={maximum} />,
    },
  ];
  return (
    <Section title={t("dashboard.uploads.title")} flush>
      {uploads.length === 0 ? (
        <EmptyState title={t("dashboard.uploads.none")} />
      ) : (
        <DataTable label={t("dashboard.uploads.title")} columns={columns} rows={uploads} rowKey={({ week }) => week} />
      )}
    </Section>
  );
}
