import { Text, Timeline, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import { formatList, formatTimestamp } from "../../i18n/format.ts";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import type { Translate } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { Section } from "../../ui/page.tsx";
import { PrescriptionDiff, translateField } from "../prescription/prescription-diff.tsx";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import classes from "./order-detail.module.css";
import { formatReasonCode } from "../core/reason-code.ts";

type OrderEvent = Order["events"][number];

/** Everything that happened to the order, the newest first. */
export function OrderTimeline({ order }: { order: Order }) {
  const t = useTexts("order");
  const events = order.events.toReversed();
  return (
    <Section title={t("order.detail.timeline")}>
      <Timeline bulletSize={12} lineWidth={2} active={events.length}>
        {events.map((event) => (
          <Timeline.Item key={event.id} title={<EventTitle event={event} />}>
            <EventReason order={order} event={event} />
            {event.text && event.side !== "system" && (
              <Text size="sm" className={classes.said}>
                {event.text}
              </Text>
            )}
            {event.changed && event.changed.length > 0 && (
              <ChangedFields order={order} event={event} fields={event.changed} />
            )}
            <Text size="xs" c="dimmed">
              <time dateTime={event.time}>{formatTimestamp(event.time)}</time>
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}

/** The reason code of a transition, and the faults of each item. */
function EventReason({ order, event }: { order: Order; event: Order["events"][number] }) {
  const t = useTexts("forward");
  const teeth = useToothNames();
  return (
    <>
      {event.code && <Text size="sm">{formatReasonCode(t, event.action, event.code)}</Text>}
      {event.faults?.map(({ item, kinds }) => (
        <Text key={item} size="sm">
          {teeth.text(order.prescription.items[item]?.teeth ?? [])}{" "}
          {formatList(kinds.map((kind) => t(`forward.fault.${kind}`)))}
        </Text>
      ))}
    </>
  );
}

interface ChangedFieldsProps {
  order: Order;
  event: OrderEvent;
  fields: readonly string[];
}

/** The changed fields, and on demand their old and new values. */
function ChangedFields({ order, event, fields }: ChangedFieldsProps) {
  const t = useTexts("order", "orderDetail");
  const [isOpen, open] = useState(false);
  const { data } = useCall(messageCalls.rx, { id: order.id }, { enabled: isOpen });
  const after = data?.list.find(({ revision }) => revision === event.revision);
  const before = data?.list.findLast(({ revision }) => revision < (event.revision ?? 0));
  return (
    <>
      <Text size="xs" c="dimmed">
        {t("order.detail.changed", { fields: formatFieldNames(t, fields) })}
      </Text>
      {event.revision !== null && event.revision > 1 && (
        <UnstyledButton className={classes.link!} fz="xs" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {t(`orderDetail.diff.${isOpen ? "hide" : "show"}`)}
        </UnstyledButton>
      )}
      {isOpen && before && after && (
        <PrescriptionDiff before={before.prescription} after={after.prescription} fields={fields} />
      )}
    </>
  );
}

function EventTitle({ event }: { event: OrderEvent }) {
  const t = useTexts("order");
  const what = translateDynamic(t, `order.event.${getTextKey(event)}`, event.action, { revision: event.revision });
  const who = event.side === "system" ? "" : event.who;
  return (
    <Text size="sm">
      {who && (
        <Text span size="sm" fw={600}>
          {who}{" "}
        </Text>
      )}
      {what}
    </Text>
  );
}

/** Returns the key of the text. A decision is described by its outcome. */
function getTextKey({ action, to, changed }: OrderEvent): string {
  if (action === "decideCancel") return to === "cancelled" ? "agreeCancel" : "declineCancel";
  if (action === "decideChange") return changed ? "acceptChange" : "declineChange";
  return action;
}

export const formatFieldNames = (t: Translate, fields: readonly string[]): string =>
  formatList(fields.map((field) => translateField(t, field)));
