import { Button, Stack } from "@mantine/core";
import { IconTicket } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { readHandedOffCard, clearHandedOffCard } from "../session/carry-values-across-sign-in.ts";
import { useTexts } from "../i18n/texts.ts";
import { PageBody } from "../ui/page.tsx";
import { ActivateCard } from "./activate-card.tsx";
import { CapacitySummary } from "./capacity-summary.tsx";
import { Activations, PendingPayments, Subscriptions } from "./subscription-and-activation-lists.tsx";
import { PlanCards } from "./subscription-plans.tsx";

/** The storage and the analyses that a clinic may use, their sources, and the ways to get more. */
export function Page() {
  const t = useTexts("shell", "myCapacity");
  const [scanned, setScanned] = useState(readHandedOffCard);
  const [isActivating, setActivating] = useState(scanned !== null);
  useEffect(clearHandedOffCard, []);
  return (
    <PageBody
      title={t("shell.screen.myCapacity")}
      description={t("myCapacity.says")}
      actions={
        <Button leftSection={<IconTicket size={18} aria-hidden />} onClick={() => setActivating(true)}>
          {t("myCapacity.activate.open")}
        </Button>
      }
    >
      <Stack gap="lg">
        <PendingPayments />
        <CapacitySummary />
        <Subscriptions />
        <Activations />
        <PlanCards />
      </Stack>
      {isActivating && (
        <ActivateCard
          card={scanned}
          onClose={() => {
            setActivating(false);
            setScanned(null);
          }}
        />
      )}
    </PageBody>
  );
}
