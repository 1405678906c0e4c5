import { Badge, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Payment } from "@arcada/contract/capacity/capacity.calls";
import type { PaymentState } from "@arcada/contract/capacity/capacity.rules";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate, NameUnder } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Pager } from "../ui/pager.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatCapacity, formatPlan } from "./format-capacity.ts";

interface PendingDecision {
  payment: Payment;
  isPaid: boolean;
}

/** The plans that clinics have requested. The operator confirms that the payment arrived. */
export function PaymentTable() {
  const t = useTexts("capacity", "cards");
  const [page, setPage] = useState(1);
  const [pending, setPending] = useState<PendingDecision | null>(null);
  const query = useCall(capacityCalls.payments, { page }, { keepPrevious: true });
  const pages = Math.ceil((query.data?.total ?? 0) / pageSizes.default);
  return (
    <>
      <Section flush>
        <QueryResult
          of={query}
          isEmpty={({ total }) => total === 0}
          empty={<EmptyState title={t("cards.empty.payments")} />}
        >
          {({ list }) => (
            <DataTable
              label={t("cards.tab.payments")}
              columns={buildColumns(t)}
              rows={list}
              rowKey={({ id }) => id}
              actionsTitle={t("common.actions")}
              actions={(payment) =>
                payment.state === "waiting" && (
                  <>
                    <Button size="sm" onClick={() => setPending({ payment, isPaid: true })}>
                      {t("cards.confirm.open")}
                    </Button>
                    <Button size="sm" variant="default" onClick={() => setPending({ payment, isPaid: false })}>
                      {t("cards.confirm.decline")}
                    </Button>
                  </>
                )
              }
            />
          )}
        </QueryResult>
      </Section>
      <Pager pages={pages} page={page} onPage={setPage} />
      {pending && <DecideDialog {...pending} onClose={() => setPending(null)} />}
    </>
  );
}

const stateColours: Record<PaymentState, string> = {
  waiting: "yellow",
  confirmed: "teal",
  declined: "red",
  withdrawn: "gray",
};

const buildColumns = (t: Translate): Column<Payment>[] => [
  {
    key: "clinic",
    title: t("cards.column.clinic"),
    narrow: "head",
    show: ({ institution: { name, number } }) => `${name} (${number})`,
  },
  { key: "plan", title: t("cards.column.plan"), show: ({ plan }) => formatPlan(t, plan) },
  { key: "kind", title: t("cards.column.kind"), show: ({ kind }) => t(`capacity.kind.${kind}`) },
  { key: "worth", title: t("cards.column.worth"), show: (payment) => formatCapacity(t, payment) },
  {
    key: "asked",
    title: t("cards.column.asked"),
    show: ({ askedAt }) => <span className="arcada-figures">{formatTimestamp(askedAt)}</span>,
  },
  {
    key: "state",
    title: t("cards.column.state"),
    show: ({ state, reason }) => (
      <Stack gap={2} align="flex-start">
        <Badge variant="light" color={stateColours[state]}>
          {t(`capacity.payment.${state}`)}
        </Badge>
        {reason && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </Stack>
    ),
  },
];

function DecideDialog({ payment, isPaid, onClose }: PendingDecision & { onClose: () => void }) {
  const t = useTexts("capacity", "cards");
  const command = useCommand(capacityCalls.confirmPayment);
  const { id, institution } = payment;
  const translate = (key: NameUnder<"cards.confirm">) =>
    t(`cards.confirm.${key}`, { name: institution.name, worth: formatCapacity(t, payment) });
  const decide = async (reason: string) => {
    if (!(await command.run({ id, paid: isPaid, ...(reason && { reason }) }))) return;
    toast("success", translate(isPaid ? "done" : "declined"));
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      danger={!isPaid}
      onClose={onClose}
      onConfirm={(reason) => void decide(reason)}
      busy={command.busy}
      title={translate(isPaid ? "title" : "declineTitle")}
      text={translate(isPaid ? "text" : "declineText")}
      confirm={translate(isPaid ? "open" : "decline")}
      {...(!isPaid && { reason: { label: t("cards.void.reason"), required: true, maxLength: 200 } })}
    />
  );
}
