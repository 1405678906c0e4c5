import { Badge, Group, Text } from "@mantine/core";
import { useEffect, useRef, type RefObject } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { messageCalls } from "@arcada/contract/order/message-reading-and-pins.calls";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import type { MessageSides } from "./mention-field.tsx";
import { MessageComposer } from "./message-composer.tsx";
import { buildThread } from "./order-thread.ts";
import type { ThreadEntry } from "./order-thread.ts";
import { entryAnchor, MessageItem, QuestionItem } from "./thread-entries.tsx";
import { send } from "../../data/ask.ts";
import classes from "./messages.module.css";

/** The conversation of both sides with questions and answers, live, with the other side's read position. */
export function OrderMessages({ order, onShow }: { order: Order; onShow: (set: string) => void }) {
  const thread = buildThread(order);
  if (!order.mayChat && thread.length === 0) return null;
  return <Conversation order={order} thread={thread} onShow={onShow} />;
}

interface ConversationProps {
  order: Order;
  thread: readonly ThreadEntry[];
  onShow: (set: string) => void;
}
function Conversation({ order, thread, onShow }: ConversationProps) {
  const t = useTexts("order", "orderDetail");
  const list = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const count = thread.length;
  useEffect(() => {
    // Scroll to the end, where the newest message is.
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  useEffect(() => {
    // A notice of a mention leads here.
    const anchor = location.hash.slice(1);
    if (thread.some(({ id }) => entryAnchor(id) === anchor))
      document.getElementById(anchor)?.scrollIntoView({ block: "center" });
    // Only when the page opens: a message that comes later must not move it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
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
        {thread.map((entry) =>
          entry.kind === "message" ? (
            <MessageItem key={entry.id} {...{ order, entry, onShow }} readers={readers.get(entry.id)} />
          ) : (
            <QuestionItem key={entry.id} order={order} entry={entry} />
          ),
        )}
        <div ref={end} className={classes.end} />
      </div>
      {order.mayChat ? (
        <MessageComposer id={order.id} sides={findSides(order)} />
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

function findSides({ mine, sender, receiver }: Order): MessageSides {
  const names = [sender.name, receiver?.name ?? ""] as const;
  return mine === "sender" ? { own: names[0], other: names[1] } : { own: names[1], other: names[0] };
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
