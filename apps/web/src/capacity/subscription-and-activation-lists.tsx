import { Badge, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Payment, Period } from "@arcada/contract/capacity/capacity.calls";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { PeriodActions } from "./period-actions.tsx";
import { formatCardNumber, stateColours, formatCapacity, formatPlan } from "./format-capacity.ts";

/** The subscriptions, which renew automatically. */
export function Subscriptions() {
  const t = useTexts("capacity", "myCapacity");
  const query = useCall(capacityCalls.subscriptions, {});
  return (
    <Section title={t("myCapacity.subscriptions.title")} flush>
      <QueryResult
        of={query}
        isEmpty={({ periods }) => periods.length === 0}
        empty={
          <EmptyState title={t("myCapacity.subscriptions.empty")} text={t("myCapacity.subscriptions.emptyText")} />
        }
      >
        {({ periods }) => (
          <DataTable
            label={t("myCapacity.subscriptions.title")}
            columns={buildSubscriptionColumns(t)}
            rows={periods}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(period) => <PeriodActions period={period} />}
          />
        )}
      </QueryResult>
    </Section>
  );
}

/** The activation list. */
export function Activations() {
  const t = useTexts("capacity", "myCapacity");
  const query = useCall(capacityCalls.activations, {});
  return (
    <Section title={t("myCapacity.activations.title")} flush>
      <QueryResult
        of={query}
        empty={<EmptyState title={t("myCapacity.activations.empty")} text={t("myCapacity.activations.emptyText")} />}
      >
        {(periods) => (
          <DataTable
            label={t("myCapacity.activations.title")}
            columns={buildActivationColumns(t)}
            rows={periods}
            rowKey={({ id }) => id}
          />
        )}
      </QueryResult>
    </Section>
  );
}

const shownPaymentStates = ["waiting", "declined"] as const satisfies readonly Payment["state"][];

/** Subscriptions that wait for their payment, and declined ones with the reason; nothing if there are none. */
export function PendingPayments() {
  const t = useTexts("capacity", "myCapacity");
  const { data } = useCall(capacityCalls.subscriptions, {});
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const rows = (data?.payments ?? []).filter(
    ({ id, state }) => !hidden.includes(id) && shownPaymentStates.some((one) => one === state),
  );
  const withdraw = useCommand(capacityCalls.withdraw);
  if (rows.length === 0) return null;
  return (
    <Section title={t("capacity.payment.title")} flush>
      <DataTable
        label={t("capacity.payment.title")}
        columns={buildPaymentColumns(t)}
        rows={rows}
        rowKey={({ id }) => id}
        actionsTitle={t("common.actions")}
        actions={({ id, state, kind }) =>
          state === "declined" ? (
            <Button size="sm" variant="subtle" onClick={() => setHidden([...hidden, id])}>
              {t("common.close")}
            </Button>
          ) : (
            kind !== "renew" && (
              <Button size="sm" variant="default" loading={withdraw.busy} onClick={() => void withdraw.run({ id })}>
                {t("myCapacity.action.withdraw")}
              </Button>
            )
          )
        }
      />
    </Section>
  );
}

const renderDigits = (text: string) => <span className="arcada-figures">{text}</span>;

const buildPaymentColumns = (t: Translate): Column<Payment>[] => [
  {
    key: "plan",
    title: t("myCapacity.column.name"),
    narrow: "head",
    show: ({ plan, kind }) => `${formatPlan(t, plan)} · ${t(`capacity.kind.${kind}`)}`,
  },
  { key: "worth", title: t("myCapacity.column.worth"), show: (payment) => renderDigits(formatCapacity(t, payment)) },
  {
    key: "state",
    title: t("myCapacity.column.state"),
    show: ({ state, reason, startsAt }) => (
      <Stack gap={2} align="flex-start">
        <Badge variant="light" color={state === "waiting" ? "yellow" : "red"}>
          {t(`capacity.payment.${state}`)}
        </Badge>
        {startsAt && state === "waiting" && (
          <Text size="xs" c="dimmed">
            {t("myCapacity.starts", { date: formatDay(startsAt) })}
          </Text>
        )}
        {reason && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </Stack>
    ),
  },
];

const commonColumns = (t: Translate): Column<Period>[] => [
  {
    key: "worth",
    title: t("myCapacity.column.worth"),
    show: (period) => renderDigits(formatCapacity(t, period)),
  },
  { key: "duration", title: t("myCapacity.column.duration"), show: ({ days }) => t("capacity.days", { days }) },
  { key: "state", title: t("myCapacity.column.state"), show: (period) => <PeriodState period={period} /> },
];

const buildSubscriptionColumns = (t: Translate): Column<Period>[] => [
  {
    key: "name",
    title: t("myCapacity.column.name"),
    narrow: "head",
    show: ({ plan }) => formatPlan(t, plan),
  },
  ...commonColumns(t),
  {
    key: "subscribed",
    title: t("myCapacity.column.subscribed"),
    show: ({ subscribedAt }) => renderDigits(formatTimestamp(subscribedAt)),
  },
  {
    key: "unsubscribed",
    title: t("myCapacity.column.unsubscribed"),
    show: ({ unsubscribedAt }) => renderDigits(formatTimestamp(unsubscribedAt)),
  },
  {
    key: "expires",
    title: t("myCapacity.column.expires"),
    show: ({ expiresAt }) => renderDigits(formatTimestamp(expiresAt)),
  },
];

const buildActivationColumns = (t: Translate): Column<Period>[] => [
  {
    key: "number",
    title: t("myCapacity.activate.number"),
    narrow: "head",
    show: ({ cardNumber }) => renderDigits(formatCardNumber(cardNumber ?? "")),
  },
  ...commonColumns(t),
  {
    key: "activated",
    title: t("myCapacity.column.activated"),
    show: ({ activatedAt }) => renderDigits(formatTimestamp(activatedAt)),
  },
  {
    key: "expires",
    title: t("myCapacity.column.expires"),
    show: ({ expiresAt }) => renderDigits(formatTimestamp(expiresAt)),
  },
];

function PeriodState({ period: { state, autoRenew, paymentWaits, startsAt } }: { period: Period }) {
  const t = useTexts("capacity", "myCapacity");
  const more =
    state === "subscribed"
      ? t("myCapacity.starts", { date: formatDay(startsAt) })
      : paymentWaits
        ? t("myCapacity.renewalWaits")
        : autoRenew && t("myCapacity.renews");
  return (
    <Stack gap={2} align="flex-start">
      <Badge variant="light" color={stateColours[state]}>
        {t(`capacity.state.${state}`)}
      </Badge>
      {more && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </Stack>
  );
}
