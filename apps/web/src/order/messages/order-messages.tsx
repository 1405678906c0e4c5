import { Badge, Group, Text } from "@mantine/core";
import { useEffect, useRef, type RefObject } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import { formatTimeAgo, formatList, formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import { MessageFiles } from "./message-files.tsx";
import { MessageComposer } from "./message-composer.tsx";
import { send } from "../../data/ask.ts";
import classes from "./messages.module.css";

type Message = Order["messages"][number];

/** The conversation of both sides, live, with the other side's read position. */
export function OrderMessages({ order, onShow }: { order: Order; onShow: (set: string) => void }) {
  if (!order.mayChat && order.messages.length === 0) return null;
  return <Conversation order={order} onShow={onShow} />;
}

function Conversation({ order, onShow }: { order: Order; onShow: (set: string) => void }) {
  const t = useTexts("order", "orderDetail");
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const count = order.messages.length;
  useEffect(() => {
    // Scroll to the end, where the newest message is.
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  useReadReceipt(order, end);
  const readers = groupReaders(order);
  return (
    <Section title={<Heading unread={order.unread} />}>
      <div ref={list} className={classes.messages} role="log" aria-label={t("order.detail.messages")} tabIndex={0}>
        {count === 0 && (
          <Text size="sm" c="dimmed">
            {t("order.detail.messagesNone")}
          </Text>
        )}
        {order.messages.map((message) => (
          <MessageItem
            key={message.id}
            order={order}
            message={message}
            readers={readers.get(message.id)}
            onShow={onShow}
          />
        ))}
        <div ref={end} className={classes.end} />
      </div>
      {order.mayChat ? (
        <MessageComposer id={order.id} />
      ) : (
        <Text size="xs" c="dimmed" mt="sm">
          {t("order.detail.messageClosed")}
        </Text>
      )}
    </Section>
  );
}

/** Reports the newest message of the other side as read, once its end has been visible on an active page. */
function useReadReceipt(order: Order, end: RefObject<Element | null>): void {
  const newest = order.messages.findLast(({ mine }) => !mine);
  const known = order.readings.find(({ self }) => self)?.upTo ?? "";
  const wanted = newest && newest.time > known ? newest.id : null;
  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (!wanted || !end.current) return;
    let isVisible = false;
    const report = () => {
      if (!isVisible || document.visibilityState !== "visible" || reported.current === wanted) return;
      reported.current = wanted;
      // A lost report is repeated at the next view, so no error is shown.
      send(messageCalls.read, { id: order.id, message: wanted }).catch(() => (reported.current = null));
    };
    const observer = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? false;
      report();
    });
    observer.observe(end.current);
    document.addEventListener("visibilitychange", report);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", report);
    };
  }, [wanted, end, order.id]);
}

function Heading({ unread }: { unread: number }) {
  const t = useTexts("order", "orderDetail");
  return (
    <Group gap="xs">
      {t("order.detail.messages")}
      {unread > 0 && (
        <Badge color="red.8" size="sm" aria-label={t("order.unread", { count: unread })}>
          {unread}
        </Badge>
      )}
    </Group>
  );
}

interface MessageItemProps {
  order: Order;
  message: Message;
  readers: Order["readings"] | undefined;
  onShow: (set: string) => void;
}
function MessageItem({ order, message, readers, onShow }: MessageItemProps) {
  const t = useTexts("orderDetail");
  const files = order.files.filter(({ messageId }) => messageId === message.id);
  return (
    <div className={classes.message} data-mine={message.mine || undefined}>
      <Text size="xs" c="dimmed">
        {message.who} ·{" "}
        <time dateTime={message.time} title={formatTimestamp(message.time)}>
          {formatTimeAgo(message.time)}
        </time>
      </Text>
      {message.text && <div className={classes.bubble}>{message.text}</div>}
      <MessageFiles files={files} onShow={onShow} />
      {readers && (
        <Text size="xs" c="dimmed">
          {t("orderDetail.message.read", {
            who: formatList(readers.map(({ who }) => who)),
            time: formatTimestamp(readers.at(-1)?.at),
          })}
        </Text>
      )}
    </div>
  );
}

/** Returns the readers of the other side by the last of our messages that each has read. */
function groupReaders({ messages, readings }: Order): Map<string, Order["readings"]> {
  const read = readings.flatMap((reading) => {
    const last = reading.mine ? undefined : messages.findLast(({ mine, time }) => mine && time <= reading.upTo);
    return last ? [{ last, reading }] : [];
  });
  const byMessage = Map.groupBy(read, ({ last }) => last.id);
  return new Map([...byMessage].map(([id, rows]) => [id, rows.map(({ reading }) => reading)]));
}
