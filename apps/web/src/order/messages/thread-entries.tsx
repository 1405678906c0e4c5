import { Badge, Text } from "@mantine/core";
import { IconMessageCheck, IconMessageQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatList, formatTimeAgo, formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { formatFieldNames } from "../detail/order-timeline.tsx";
import { MessageFiles } from "./message-files.tsx";
import { splitMentions } from "./order-thread.ts";
import type { ThreadEntry } from "./order-thread.ts";
import classes from "./messages.module.css";

interface EntryProps<Kind extends ThreadEntry["kind"]> {
  order: Order;
  entry: Extract<ThreadEntry, { kind: Kind }>;
}

/** A question of the laboratory, or the answer to it, which is also a step of the order. */
export function QuestionItem({ entry }: EntryProps<"question" | "answer">) {
  const t = useTexts("order", "orderDetail");
  const { event, kind } = entry;
  const isQuestion = kind === "question";
  const Icon = isQuestion ? IconMessageQuestion : IconMessageCheck;
  const changed = event.changed ?? [];
  return (
    <EntryFrame entry={entry} who={event.who}>
      <div className={classes.bubble} data-kind={kind}>
        <Badge
          variant="light"
          size="sm"
          tt="none"
          color={isQuestion ? "orange" : "teal"}
          leftSection={<Icon size={13} stroke={1.8} aria-hidden />}
        >
          {t(`orderDetail.message.${kind}`)}
        </Badge>
        {event.text && <div>{event.text}</div>}
        {changed.length > 0 && (
          <Text size="xs" c="dimmed">
            {t("order.detail.changed", { fields: formatFieldNames(t, changed) })}
          </Text>
        )}
      </div>
    </EntryFrame>
  );
}

interface MessageItemProps extends EntryProps<"message"> {
  readers: Order["readings"] | undefined;
  onShow: (set: string) => void;
}
export function MessageItem({ order, entry, readers, onShow }: MessageItemProps) {
  const t = useTexts("orderDetail");
  const { message } = entry;
  const files = order.files.filter(({ messageId }) => messageId === message.id);
  return (
    <EntryFrame entry={entry} who={message.who}>
      {message.text && (
        <div className={classes.bubble}>
          {splitMentions(message.text, message.mentions).map((part, place) =>
            // The parts of one text never change places.
            // oxlint-disable-next-line react/no-array-index-key
            part.isMention ? (
              <strong key={place} className={classes.mention}>
                {part.text}
              </strong>
            ) : (
              part.text
            ),
          )}
        </div>
      )}
      <MessageFiles files={files} onShow={onShow} />
      {readers && (
        <Text size="xs" c="dimmed">
          {t("orderDetail.message.read", {
            who: formatList(readers.map(({ who }) => who)),
            time: formatTimestamp(readers.at(-1)?.at),
          })}
        </Text>
      )}
    </EntryFrame>
  );
}

/** The address of an entry, to which a notice leads. */
export const entryAnchor = (id: string): string => `message-${id}`;

function EntryFrame({ entry, who, children }: { entry: ThreadEntry; who: string; children: ReactNode }) {
  return (
    <div id={entryAnchor(entry.id)} className={classes.message} data-mine={entry.mine || undefined}>
      <Text size="xs" c="dimmed">
        {who} ·{" "}
        <time dateTime={entry.time} title={formatTimestamp(entry.time)}>
          {formatTimeAgo(entry.time)}
        </time>
      </Text>
      {children}
    </div>
  );
}
