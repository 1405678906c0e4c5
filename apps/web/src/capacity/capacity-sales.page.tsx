import { Box, Button } from "@mantine/core";
import { IconTicket } from "@tabler/icons-react";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { Choice } from "../ui/form/choice-field.tsx";
import { PageBody } from "../ui/page.tsx";
import { CardTable } from "./card-table.tsx";
import { IssueCards } from "./issue-cards.tsx";
import { IssuedCards } from "./issued-card-secrets.tsx";
import { PaymentTable } from "./payment-table.tsx";

const tabs = ["cards", "payments"] as const;
type Tab = (typeof tabs)[number];
type IssuedBatch = Output<typeof capacityCalls.issue>;

/** The operator's sales of capacity: cards, and plans whose payment the operator confirms. */
export function Page() {
  const t = useTexts("shell", "cards");
  const set = useSetSearchParams();
  const tab: Tab = useSearchParams()["tab"] === "payments" ? "payments" : "cards";
  const [isIssuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedBatch | null>(null);
  return (
    <PageBody
      title={t("shell.screen.cards")}
      description={t("cards.says")}
      actions={
        <Button leftSection={<IconTicket size={18} aria-hidden />} onClick={() => setIssuing(true)}>
          {t("cards.issue.open")}
        </Button>
      }
    >
      <Box maw={420}>
        <Choice
          label={t("shell.screen.cards")}
          value={tab}
          options={tabs.map((value) => ({ value, label: t(`cards.tab.${value}`) }))}
          onChange={(chosen) => set({ tab: chosen === "cards" ? undefined : chosen })}
        />
      </Box>
      {tab === "cards" ? <CardTable /> : <PaymentTable />}
      {isIssuing && (
        <IssueCards
          onClose={() => setIssuing(false)}
          onIssued={(made) => {
            setIssuing(false);
            setIssued(made);
          }}
        />
      )}
      {issued && <IssuedCards issued={issued} onClose={() => setIssued(null)} />}
    </PageBody>
  );
}
