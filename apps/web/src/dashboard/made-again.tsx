import { Anchor, Group, Stack, Text } from "@mantine/core";
import type { Again } from "@arcada/contract/dashboard/dashboard.calls";
import { showDay } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { Bar } from "./bar.tsx";
import classes from "./dashboard.module.css";
import type { Figures } from "./times.tsx";

/** Orders that were redelivered or remade, with the reasons. */
export function MadeAgain({ figures }: { figures: Figures }) {
  const t = useTexts("dashboard");
  const { redeliveries, remakes, causes, latest } = figures;
  return (
    <>
      <Section title={t("dashboard.again.title")} says={t("dashboard.again.says")}>
        <Group gap={48} align="flex-start">
          <Total n={redeliveries} name={t("dashboard.again.redeliveries")} />
          <Total n={remakes} name={t("dashboard.again.remakes")} />
        </Group>
      </Section>
      {causes.length > 0 && (
        <Section title={t("dashboard.again.causes")} flush>
          <DataTable
            label={t("dashboard.again.causes")}
            columns={causeColumns(t, Math.max(...causes.map(({ count }) => count)))}
            rows={causes}
            rowKey={({ cause, bears }) => `${cause} ${bears}`}
          />
        </Section>
      )}
      {latest.length > 0 && (
        <Section title={t("dashboard.again.latest")} flush>
          <DataTable
            label={t("dashboard.again.latest")}
            columns={latestColumns(t)}
            rows={latest}
            rowKey={({ orderId, at }) => `${orderId} ${at}`}
          />
        </Section>
      )}
    </>
  );
}

function Total({ n, name }: { n: number; name: string }) {
  return (
    <Stack gap={0}>
      <span className={classes.figure}>{n}</span>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
    </Stack>
  );
}

const causeOf = (t: Translate, cause: Again["cause"]): string => (cause ? t(`dashboard.cause.${cause}`) : "–");
const bearsOf = (t: Translate, bears: Again["bears"]): string => (bears ? t(`dashboard.bears.${bears}`) : "–");

const causeColumns = (t: Translate, most: number): Column<Figures["causes"][number]>[] => [
  { key: "cause", title: t("dashboard.again.cause"), narrow: "head", show: ({ cause }) => causeOf(t, cause) },
  { key: "bears", title: t("dashboard.again.bears"), show: ({ bears }) => bearsOf(t, bears) },
  {
    key: "count",
    title: t("dashboard.times.count"),
    align: "end",
    show: ({ count }) => <span className="arcada-figures">{count}</span>,
  },
  { key: "bar", title: "", width: 160, narrow: "none", show: ({ count }) => <Bar value={count} most={most} /> },
];

const latestColumns = (t: Translate): Column<Again>[] => [
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
      kind === "redelivery" ? (reason ?? "–") : `${causeOf(t, cause)} · ${bearsOf(t, bears)}`,
  },
  {
    key: "at",
    title: t("dashboard.again.at"),
    show: ({ at }) => <span className="arcada-figures">{showDay(at)}</span>,
  },
];
