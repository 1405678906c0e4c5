import { Text, Timeline } from "@mantine/core";
import type { Order } from "@arcada/contract/order/order.calls";
import { showList, showTime } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import type { Translate } from "../../kernel/texts.ts";
import { Section } from "../../ui/page.tsx";
import classes from "./order-detail.module.css";

type Event = Order["events"][number];

/** Everything that happened to the order, the newest first. */
export function OrderTimeline({ order }: { order: Order }) {
  const t = useTexts("order");
  const events = order.events.toReversed();
  return (
    <Section title={t("order.detail.timeline")}>
      <Timeline bulletSize={12} lineWidth={2} active={events.length}>
        {events.map((event) => (
          <Timeline.Item key={event.id} title={<Title event={event} />}>
            {event.text && event.side !== "system" && (
              <Text size="sm" className={classes.said}>
                {event.text}
              </Text>
            )}
            {event.changed && event.changed.length > 0 && (
              <Text size="xs" c="dimmed">
                {t("order.detail.changed", { fields: fieldNames(t, event.changed) })}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <time dateTime={event.time}>{showTime(event.time)}</time>
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}

function Title({ event }: { event: Event }) {
  const t = useTexts("order");
  const what = t(`order.event.${event.action}`, {
    revision: event.revision,
    defaultValue: t(`order.action.${event.action}`),
  });
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

const fieldNames = (t: Translate, fields: readonly string[]): string =>
  showList(fields.map((field) => t(`order.field.${field}`, { defaultValue: field })));
