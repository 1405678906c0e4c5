import { ActionIcon, Text, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { showAgo, showTime } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { useCommand } from "../../kernel/use-command.ts";
import { Section } from "../../ui/page.tsx";
import classes from "./order-detail.module.css";

/** What both sides say to each other, live. */
export function OrderMessages({ order }: { order: Order }) {
  const t = useTexts("order");
  const list = useRef<HTMLDivElement>(null);
  const count = order.messages.length;
  useEffect(() => {
    // The newest stands at the end and comes into sight by itself.
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  if (order.state === "draft" || order.state === "awaiting_sending") return null;
  return (
    <Section title={t("order.detail.messages")}>
      <div ref={list} className={classes.messages} role="log" aria-label={t("order.detail.messages")} tabIndex={0}>
        {count === 0 && (
          <Text size="sm" c="dimmed">
            {t("order.detail.messagesNone")}
          </Text>
        )}
        {order.messages.map((message) => (
          <div key={message.id} className={classes.message} data-mine={message.mine || undefined}>
            <Text size="xs" c="dimmed">
              {message.who} ·{" "}
              <time dateTime={message.time} title={showTime(message.time)}>
                {showAgo(message.time)}
              </time>
            </Text>
            <div className={classes.bubble}>{message.text}</div>
          </div>
        ))}
      </div>
      {order.mayChat ? (
        <Writing id={order.id} />
      ) : (
        <Text size="xs" c="dimmed" mt="sm">
          {t("order.detail.messageClosed")}
        </Text>
      )}
    </Section>
  );
}

function Writing({ id }: { id: string }) {
  const t = useTexts("order");
  const [typed, setTyped] = useState("");
  const message = useCommand(orderCalls.message);
  const send = async () => {
    const text = typed.trim();
    if (!text) return;
    const sent = await message.run({ id, text });
    if (sent) setTyped((now) => (now.trim() === text ? "" : now));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the choice of a Chinese word: that must not send.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <Textarea
      mt="sm"
      aria-label={t("order.detail.messageHint")}
      placeholder={t("order.detail.messageHint")}
      description={t("order.detail.messageKeys")}
      inputWrapperOrder={["input", "description"]}
      autosize
      minRows={1}
      maxRows={6}
      maxLength={4000}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      rightSection={
        <ActionIcon
          variant="subtle"
          size={30}
          aria-label={t("order.detail.messageSend")}
          disabled={!typed.trim()}
          loading={message.busy}
          onClick={() => void send()}
        >
          <IconSend size={18} aria-hidden />
        </ActionIcon>
      }
    />
  );
}
