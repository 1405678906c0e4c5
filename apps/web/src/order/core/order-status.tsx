import { Badge, Text } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { orderStateKey } from "@arcada/contract/order/order.lifecycle";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { getDueStatus, isEnded, stateColours, describeTurn } from "./order-status-text.ts";
import classes from "./order-status.module.css";

export function StateBadge({ order, size = "md" }: { order: Pick<OrderRow, "state" | "step">; size?: "md" | "lg" }) {
  const t = useTexts("order");
  return (
    <Badge
      variant="dot"
      color={stateColours[order.state]}
      size={size}
      radius="sm"
      tt="none"
      fw={600}
      className={classes.state!}
    >
      {t(`order.${orderStateKey(order)}`)}
    </Badge>
  );
}

/** The current step and the side whose turn it is, highlighted if it is the reader's side. */
export function TurnText({ order, size = "xs" }: { order: OrderRow; size?: "xs" | "sm" }) {
  const t = useTexts("order");
  // The state is sufficient.
  if (isEnded(order.state)) return null;
  return (
    <Text size={size} component="span" className={classes.turn} data-mine={order.myTurn || undefined}>
      {describeTurn(t, order)}
    </Text>
  );
}

/** The day on which the work is due, and how late it is. */
export function DueDay({ order, size = "sm" }: { order: OrderRow; size?: "xs" | "sm" }) {
  const t = useTexts("order");
  const due = getDueStatus(t, order);
  if (!due) return <Text size={size}>–</Text>;
  return (
    <span className={classes.due}>
      <Text size={size} component="time" dateTime={due.day}>
        {formatDay(due.day)}
      </Text>
      {due.text && (
        <Text size="xs" component="span" className={classes.soon} data-urgency={due.urgency}>
          {due.text}
        </Text>
      )}
    </span>
  );
}

/** The number of unread messages of the other side. */
export function UnreadBadge({ order: { unread } }: { order: Pick<OrderRow, "unread"> }) {
  const t = useTexts("order");
  if (unread === 0) return null;
  const label = t("order.unread", { count: unread });
  return (
    <Badge
      size="sm"
      color="red.8"
      role="img"
      aria-label={label}
      title={label}
      leftSection={<IconMessage size={11} aria-hidden />}
    >
      {unread}
    </Badge>
  );
}
