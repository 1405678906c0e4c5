import { Button, Group, Stack } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { ask } from "../data/ask.ts";
import { useSearchParams } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { useRole, useSignedInUser } from "../session/current-user.ts";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { ExportButton } from "../ui/export-button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/page-states.tsx";
import classes from "./dashboard.module.css";
import { HeadlineFigures } from "./headline-figures.tsx";
import { LatenessChart, RemakesChart, StorageChart, TurnaroundChart } from "./order-charts.tsx";
import { Remakes } from "./remakes.tsx";
import { OpenOrders } from "./open-orders.tsx";
import { PeriodSelect } from "./period-select.tsx";
import { parsePeriod } from "./period.ts";
import type { Period } from "./period.ts";
import { PlatformGrowth } from "./platform-growth.tsx";
import { UsageSection } from "./storage-usage.tsx";
import { ProcessingTimes } from "./processing-times.tsx";
import { WorkloadChart } from "./workload-chart.tsx";
import { WorkloadSection } from "./workload-section.tsx";

type Side = "sender" | "receiver";

/** Figures over time: of an organisation for its managers, of their own orders for others, of the platform for operators. */
export function Page() {
  const t = useTexts("dashboard");
  const role = useRole();
  const period = parsePeriod(useSearchParams());
  const isOperator = role === "operator";
  const says = isOperator ? "dashboard.platform.says" : "dashboard.says";
  return (
    <PageBody
      title={t("dashboard.title")}
      description={t(says)}
      actions={
        <Group gap="sm" className={classes.actions!}>
          <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
            {t("dashboard.print")}
          </Button>
          {([dashboardCalls.export, operatorCalls.exportGrowth] as const).map((call) => (
            <PermissionGate key={call.path} to={call}>
              <ExportButton label={t("dashboard.export.now")} prepare={() => ask(call, period, { timeout: 60_000 })} />
            </PermissionGate>
          ))}
        </Group>
      }
    >
      <PeriodSelect period={period} />
      {isOperator ? (
        <PlatformGrowth period={period} />
      ) : (
        <OrderFigures period={period} side={role && roles[role].side === "lab" ? "receiver" : "sender"} />
      )}
    </PageBody>
  );
}

/** The figures of orders: those that a clinic sent, or those that a laboratory received. */
function OrderFigures({ period, side }: { period: Period; side: Side }) {
  const query = useCall(dashboardCalls.period, period, { keepPrevious: true });
  return (
    <>
      <Trends period={period} side={side} />
      <OpenOrders />
      <QueryResult of={query} loading={<LoadingSection />}>
        {(figures) => (
          <Stack gap="lg" aria-busy={query.isPlaceholderData}>
            <ProcessingTimes figures={figures} side={side} />
            <Remakes figures={figures} />
            <UsageSection analyses={figures.analyses} measurements={figures.measurements} />
          </Stack>
        )}
      </QueryResult>
    </>
  );
}

function Trends({ period, side }: { period: Period; side: Side }) {
  const t = useTexts("dashboard");
  const me = useSignedInUser().uuid;
  const query = useCall(dashboardCalls.trends, period, { keepPrevious: true });
  return (
    <QueryResult of={query} loading={<LoadingSection />}>
      {({ unit, scope, today, now, before, people }) => {
        const orders: SearchParams = {
          list: side === "receiver" ? "received" : "sent",
          ...(scope === "own" && { personId: me }),
        };
        const trend = { unit, now, before, orders };
        return (
          <Stack gap="lg" aria-busy={query.isPlaceholderData}>
            {scope === "own" && <p className={classes.own}>{t("dashboard.own")}</p>}
            <HeadlineFigures now={now} before={before} orders={orders} />
            <div className={classes.charts}>
              <TurnaroundChart {...trend} />
              <LatenessChart {...trend} />
              <RemakesChart {...trend} />
              {scope === "institution" && <StorageChart {...trend} />}
              {side === "receiver" && <WorkloadChart period={period} orders={orders} />}
            </div>
            <WorkloadSection people={people} period={now} today={today} side={side} orders={orders} />
          </Stack>
        );
      }}
    </QueryResult>
  );
}

const LoadingSection = () => (
  <Section>
    <LoadingState />
  </Section>
);
