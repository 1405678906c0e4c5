import { Button, Stack } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useState } from "react";
import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { ask } from "../data/ask.ts";
import { useSearchParams } from "../browser/navigation.tsx";
import { useRole } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/page-states.tsx";
import { Remakes } from "./remakes.tsx";
import { OpenOrders } from "./open-orders.tsx";
import { PeriodSelect } from "./period-select.tsx";
import { parsePeriod } from "./period.ts";
import type { Period } from "./period.ts";
import { UploadsSection, UsageSection } from "./storage-usage.tsx";
import { ProcessingTimes } from "./processing-times.tsx";

/** The dashboard of a manager's institution: open orders, processing times, remakes, usage and uploads. */
export function Page() {
  const t = useTexts("dashboard");
  const role = useRole();
  const side = role && roles[role].side === "lab" ? "receiver" : "sender";
  const period = parsePeriod(useSearchParams());
  const query = useCall(dashboardCalls.period, period, { keepPrevious: true });
  return (
    <PageBody title={t("dashboard.title")} description={t("dashboard.says")} actions={<ExportButton period={period} />}>
      <OpenOrders />
      <PeriodSelect period={period} />
      <QueryResult
        of={query}
        loading={
          <Section>
            <LoadingState />
          </Section>
        }
      >
        {(figures) => (
          <Stack gap="lg" aria-busy={query.isPlaceholderData}>
            <ProcessingTimes figures={figures} side={side} />
            <Remakes figures={figures} />
            <UsageSection analyses={figures.analyses} />
            <UploadsSection uploads={figures.uploads} />
          </Stack>
        )}
      </QueryResult>
    </PageBody>
  );
}

function ExportButton({ period }: { period: Period }) {
  const t = useTexts("dashboard");
  const [isBusy, setBusy] = useState(false);
  const startExport = async () => {
    setBusy(true);
    try {
      const { url } = await ask(dashboardCalls.export, period, { timeout: 60_000 });
      location.assign(url);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconTableExport size={18} aria-hidden />}
      onClick={() => void startExport().catch(() => {})}
    >
      {t("dashboard.export.now")}
    </Button>
  );
}
