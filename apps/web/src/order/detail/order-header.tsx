import { Alert, Group, Stack, Text, Title, Anchor } from "@mantine/core";
import {
  IconAlertCircle,
  IconCircleCheck,
  IconHandClick,
  IconHourglass,
  IconMessageQuestion,
  IconX,
} from "@tabler/icons-react";
import { use } from "react";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { formatDay } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useOrderNames } from "../../i18n/order-name.ts";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import type { Translate } from "../../i18n/texts.ts";
import { DueDay, StateBadge } from "../core/order-status.tsx";
import { isEnded } from "../core/order-status-text.ts";
import { ActionButtons } from "../actions/action-buttons.tsx";
import { actionEmphasis } from "../actions/action-emphasis.ts";
import { StageLine } from "./stage-line.tsx";
import { describeNextStep, isReadersStep } from "./next-step-text.ts";
import { RelatedOrders } from "../forwarding/related-orders.tsx";
import { PageHelpSlot } from "../../ui/page-help-slot.ts";
import { ProposalNote } from "../prescription/change-proposal.tsx";
import classes from "./order-detail.module.css";

interface OrderHeaderProps {
  order: Order;
  isHeaderOnly: boolean;
  /** Actions on the order that are not transitions. */
  tools?: ReactNode;
  /** The content below the stages; absent if something else has to be decided first. */
  children?: ReactNode;
}

/** The head of the order's page: its name, its stages, and what prevents its progress. */
export function OrderHeader({ order, isHeaderOnly, tools, children }: OrderHeaderProps) {
  const { name } = useOrderNames();
  const help = use(PageHelpSlot);
  return (
    <Stack component="header" gap="md">
      <Group gap="sm" justify="space-between">
        <Group gap="4px 12px" align="baseline" miw={0}>
          <Title order={1}>
            <bdi>{name(order)}</bdi>
          </Title>
          {help}
          <Text c="dimmed" className="arcada-figures">
            <bdi dir="ltr">{order.number}</bdi>
          </Text>
          <StateBadge order={order} size="lg" />
        </Group>
        {tools && <Group gap="sm">{tools}</Group>}
      </Group>
      <StageLine order={order} />
      <OrderNotices order={order} isHeaderOnly={isHeaderOnly} />
      {children}
    </Stack>
  );
}

interface OrderSummaryProps {
  order: Order;
  /** Actions that have their buttons at another place of the page. */
  reviewed: readonly OrderAction[];
}

/** The facts of the order, its next step and the reader's actions. */
export function OrderSummary({ order, reviewed }: OrderSummaryProps) {
  // The place where a decision is made says what the next step is.
  const isDecidedElsewhere = order.actions.some((action) => reviewed.includes(action));
  return (
    <>
      <OrderFacts order={order} />
      <RelatedOrders order={order} />
      {!isDecidedElsewhere && <NextStep order={order} />}
      <ActionButtons order={order} elsewhere={reviewed} />
    </>
  );
}

function OrderFacts({ order }: { order: Order }) {
  const t = useTexts("order");
  return (
    <dl className={classes.facts}>
      <Fact label={t("order.detail.patient")}>
        {order.patientId ? (
          <ScreenLink screen="patientDetail" search={{ id: order.patientId }} className={classes.link}>
            {order.patientName}
          </ScreenLink>
        ) : (
          order.patientName
        )}
        <Text span size="xs" c="dimmed" ml={6}>
          {order.patientNumber}
        </Text>
      </Fact>
      <Fact label={t("order.detail.sender")}>
        {order.sender.name} · {order.responsibleName}
        <PhoneLine phone={order.contacts.sender?.phone} />
      </Fact>
      <Fact label={t("order.detail.receiver")}>
        {[order.receiver?.name ?? t("order.noLab"), order.assigneeName].filter(Boolean).join(" · ")}
        <PhoneLine phone={order.contacts.receiver?.phone} />
      </Fact>
      <Fact label={t(order.promisedDate ? "order.detail.promised" : "order.detail.due")}>
        <DueDay order={order} />
        {order.promisedDate && order.dueDate && order.promisedDate !== order.dueDate && (
          <Text size="xs" c="dimmed">
            {t("order.detail.due")} {formatDay(order.dueDate)}
          </Text>
        )}
      </Fact>
      {order.shipment && (
        <Fact label={t("order.detail.shipment")}>
          {order.shipment.handDelivery
            ? t("order.detail.hand")
            : [order.shipment.carrier, order.shipment.trackingNumber].filter(Boolean).join(" ")}
        </Fact>
      )}
    </dl>
  );
}

/** Omitted if the institution does not disclose it. */
function PhoneLine({ phone }: { phone: string | null | undefined }) {
  const t = useTexts("order");
  if (!phone) return null;
  return (
    <Text size="xs">
      <Anchor href={`tel:${phone.replace(/[^+\d]/g, "")}`} size="xs" aria-label={t("order.detail.call", { phone })}>
        <bdi dir="ltr">{phone}</bdi>
      </Anchor>
    </Text>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Notes on blockers and open requests. */
function OrderNotices({ order, isHeaderOnly }: { order: Order; isHeaderOnly: boolean }) {
  const t = useTexts("order");
  return (
    <>
      {order.infoRequest && (
        <Alert icon={<IconMessageQuestion aria-hidden />} title={t("order.detail.question")} color="orange">
          <Text size="sm" className={classes.said}>
            {order.infoRequest}
          </Text>
        </Alert>
      )}
      {order.cancelRequest && (
        <Alert icon={<IconX aria-hidden />} title={t("order.detail.cancelWish")} color="red">
          <Text size="sm" className={classes.said}>
            {order.cancelRequest}
          </Text>
        </Alert>
      )}
      <ProposalNote order={order} />
      {order.step === "send_failed" && order.state === "awaiting_sending" && (
        <Alert icon={<IconAlertCircle aria-hidden />} title={t("order.detail.failed")} color="red">
          {describeFailure(t, order)}
        </Alert>
      )}
      {isHeaderOnly && <Alert color="gray">{t("order.detail.headerOnly")}</Alert>}
    </>
  );
}

/** The system's text contains the name of a rejection, and after a colon the file that it refers to. */
function describeFailure(t: Translate, order: Order): string {
  const text = order.events.findLast(({ action }) => action === "transferFailed")?.text ?? "";
  const [name = "", ...file] = text.split(": ");
  return translateDynamic(t, `order.failure.${name}`, t("order.failure.other"), { name: file.join(": ") });
}

/**
 * The next step and the side that must take it, in one sentence. If it is our turn but not the reader's, it also names
 * the colleague.
 */
function NextStep({ order }: { order: Order }) {
  const t = useTexts("order", "orderDetail");
  const isMine = isReadersStep(order);
  const Icon = isMine ? IconHandClick : isEnded(order.state) ? IconCircleCheck : IconHourglass;
  return (
    <Group gap={8} wrap="nowrap" className={classes.turn} data-mine={isMine || undefined} role="status">
      <Icon size={18} stroke={1.6} aria-hidden />
      <Text size="sm">
        {describeNextStep(t, order)} {describeResponsible(t, order)}
      </Text>
    </Group>
  );
}

function describeResponsible(t: Translate, order: Order): string {
  const isReadersTask = order.actions.some((action) => actionEmphasis[action] === "primary");
  const name = order.mine === "sender" ? order.responsibleName : (order.assigneeName ?? "");
  return order.myTurn && !isReadersTask && name ? t("order.detail.mineButOthers", { name }) : "";
}
