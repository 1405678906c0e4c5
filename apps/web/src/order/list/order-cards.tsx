import { Text } from "@mantine/core";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { DueDay, StateBadge, TurnText, UnreadBadge } from "../core/order-status.tsx";
import { getOtherSide } from "../core/order-status-text.ts";
import { OrderSubject } from "../core/order-subject.tsx";
import { useOrderLink } from "./use-order-link.ts";
import classes from "./order-rows.module.css";

interface OrderCardsProps {
  orders: readonly OrderRow[];
  /** True if all orders belong to one patient, whose name is shown above them. */
  ofOnePatient?: boolean;
}

/** Orders on a narrow page. */
export function OrderCards({ orders, ofOnePatient = false }: OrderCardsProps) {
  return (
    <ul className={classes.cards}>
      {orders.map((order) => (
        <li key={order.id}>
          <OrderCard order={order} title={ofOnePatient ? order.number : order.patientName} />
        </li>
      ))}
    </ul>
  );
}

function OrderCard({ order, title }: { order: OrderRow; title: string }) {
  const t = useTexts("order");
  const other = getOtherSide(order);
  return (
    <ScreenLink {...useOrderLink(order)} className={classes.card} data-mine={order.myTurn || undefined}>
      <span className={classes.cardLine}>
        <Text component="span" fw={600} truncate>
          {title}
        </Text>
        <UnreadBadge order={order} />
        <StateBadge order={order} />
      </span>
      <TurnText order={order} size="sm" />
      <Text component="span" size="sm">
        <OrderSubject order={order} />
      </Text>
      <span className={classes.cardLine}>
        <Text component="span" size="xs" c="dimmed" truncate>
          {title === order.number ? "" : `${order.number} · `}
          {other ? t(order.mine === "sender" ? "order.to" : "order.from", { name: other.name }) : t("order.noLab")}
        </Text>
        <DueDay order={order} size="xs" />
      </span>
    </ScreenLink>
  );
}
