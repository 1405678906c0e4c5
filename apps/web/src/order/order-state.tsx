import { Badge, Text } from "@mantine/core";
import { IconMessage } from "@tabler/icons-react";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { stateText } from "@arcada/contract/order/order.cycle";
import { showDay } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { dueOf, isEnded, stateColours, turnLine } from "./order-words.ts";
import classes from "./order-state.module.css";

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
      {t(`order.${stateText(order)}`)}
    </Badge>
  );
}

/** The current step and the side whose turn it is, highlighted if it is the reader's side. */
export function TurnLine({ order, size = "xs" }: { order: OrderRow; size?: "xs" | "sm" }) {
  const t = useTexts("order");
  // The state is sufficient.
  if (isEnded(order.state)) return null;
  return (
    <Text size={size} component="span" className={classes.turn} data-mine={order.myTurn || undefined}>
      {turnLine(t, order)}
    </Text>
  );
}

/** The day on which the work is due, and how late it is. */
export function DueDay({ order, size = "sm" }: { order: OrderRow; size?: "xs" | "sm" }) {
  const t = useTexts("order");
  const due = dueOf(t, order);
  if (!due) return <Text size={size}>–</Text>;
  return (
    <span className={classes.due}>
      <Text size={size} component="time" dateTime={due.day}>
        {showDay(due.day)}
      </Text>
      {due.says && (
        <Text size="xs" component="span" className={classes.soon} data-urgency={due.urgency}>
          {due.says}
        </Text>
      )}
    </span>
  );
}

/** The number of unread messages of the other side. */
export function UnreadMark({ order: { unread } }: { order: Pick<OrderRow, "unread"> }) {
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
