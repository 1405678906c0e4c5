import { Anchor, Group, Stack, Text } from "@mantine/core";
import type { ReworkEntry } from "@arcada/contract/dashboard/dashboard.calls";
import { formatDay } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { FigureBar } from "./figure-bar.tsx";
import classes from "./dashboard.module.css";
import type { Figures } from "./processing-times.tsx";

/** Orders that were redelivered or remade, with the reasons. */
export function Remakes({ figures }: { figures: Figures }) {
  const t = useTexts("dashboard");
  const { redeliveries, remakes, causes, latest } = figures;
  return (
    <>
      <Section title={t("dashboard.again.title")} description={t("dashboard.again.says")}>
        <Group gap={48} align="flex-start">
          <TotalFigure figure={redeliveries} name={t("dashboard.again.redeliveries")} />
          <TotalFigure figure={remakes} name={t("dashboard.again.remakes")} />
        </Group>
      </Section>
      {causes.length > 0 && (
        <Section title={t("dashboard.again.causes")} flush>
          <DataTable
            label={t("dashboard.again.causes")}
            columns={buildCauseColumns(t, Math.max(...causes.map(({ count }) => count)))}
            rows={causes}
            rowKey={({ cause, bears }) => `${cause} ${bears}`}
          />
        </Section>
      )}
      {latest.length > 0 && (
        <Section title={t("dashboard.again.latest")} flush>
          <DataTable
            label={t("dashboard.again.latest")}
            columns={buildLatestColumns(t)}
            rows={latest}
            rowKey={({ orderId, at }) => `${orderId} ${at}`}
          />
        </Section>
      )}
    </>
  );
}

function TotalFigure({ figure, name }: { figure: number; name: string }) {
  return (
    <Stack gap={0}>
      <span className={classes.figure}>{figure}</span>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
    </Stack>
  );
}

const translateCause = (t: Translate, cause: ReworkEntry["cause"]): string =>
  cause ? t(`dashboard.cause.${cause}`) : "–";
const translateBearer = (t: Translate, bears: ReworkEntry["bears"]): string =>
  bears ? t(`dashboard.bears.${bears}`) : "–";

const buildCauseColumns = (t: Translate, maximum: number): Column<Figures["causes"][number]>[] => [
  { key: "cause", title: t("dashboard.again.cause"), narrow: "head", show: ({ cause }) => translateCause(t, cause) },
  { key: "bears", title: t("dashboard.again.bears"), show: ({ bears }) => translateBearer(t, bears) },
  {
    key: "count",
    title: t("dashboard.times.count"),
    align: "end",
    show: ({ count }) => <span className="arcada-figures">{count}</span>,
  },
  {
    key: "bar",
    title: "",
    width: 160,
    narrow: "none",
    show: ({ count }) => <FigureBar value={count} maximum={maximum} />,
  },
];

const buildLatestColumns = (t: Translate): Column<ReworkEntry>[] => [
  {
    key: "order",
    title: t("dashboard.again.order"),
    narrow: "head",
    show: ({ orderId, number }) => (
      <Anchor component={ScreenLink} screen="orderDetail" search={{ id: orderId }} size="sm">
        {number}
      </Anchor>
    ),
  },
  { key: "kind", title: t("dashboard.again.kind"), show: ({ kind }) => t(`dashboard.again.kinds.${kind}`) },
  { key: "partner", title: t("dashboard.partners.name"), show: ({ partner }) => partner },
  {
    key: "why",
    title: t("dashboard.again.why"),
    show: ({ kind, reason, cause, bears }) =>
      kind === "redelivery" ? (reason ?? "–") : `${translateCause(t, cause)} · ${translateBearer(t, bears)}`,
  },
  {
    key: "at",
    title: t("dashboard.again.at"),
    show: ({ at }) => <span className="arcada-figures">{formatDay(at)}</span>,
  },
];
