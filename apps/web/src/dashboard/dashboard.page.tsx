import { Button, Stack } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useState } from "react";
import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { ask } from "../kernel/ask.ts";
import { useSearch } from "../kernel/link.tsx";
import { useRole } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { LoadingState } from "../ui/states.tsx";
import { MadeAgain } from "./made-again.tsx";
import { OpenOrders } from "./open-orders.tsx";
import { PeriodChoice } from "./period-choice.tsx";
import { periodOf } from "./period.ts";
import type { Period } from "./period.ts";
import { Uploads, Usage } from "./stored.tsx";
import { Times } from "./times.tsx";

/** The dashboard of a manager's institution: open orders, processing times, remakes, usage and uploads. */
export function Page() {
  const t = useTexts("dashboard");
  const role = useRole();
  const side = role && roles[role].side === "lab" ? "receiver" : "sender";
  const period = periodOf(useSearch());
  const query = useCall(dashboardCalls.period, period, { keep: true });
  return (
    <PageBody title={t("dashboard.title")} says={t("dashboard.says")} actions={<Export period={period} />}>
      <OpenOrders />
      <PeriodChoice period={period} />
      <Answer
        of={query}
        waiting={
          <Section>
            <LoadingState />
          </Section>
        }
      >
        {(figures) => (
          <Stack gap="lg" aria-busy={query.isPlaceholderData}>
            <Times figures={figures} side={side} />
            <MadeAgain figures={figures} />
            <Usage analyses={figures.analyses} />
            <Uploads uploads={figures.uploads} />
          </Stack>
        )}
      </Answer>
    </PageBody>
  );
}

function Export({ period }: { period: Period }) {
  const t = useTexts("dashboard");
  const [isBusy, setBusy] = useState(false);
  const exportNow = async () => {
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
      onClick={() => void exportNow().catch(() => {})}
    >
      {t("dashboard.export.now")}
    </Button>
  );
}
