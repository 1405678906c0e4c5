import { Text } from "@mantine/core";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useOrderNames } from "../../i18n/order-name.ts";
import { useTexts } from "../../i18n/texts.ts";
import { DueDay, StateBadge, TurnText, UnreadBadge } from "../core/order-status.tsx";
import { getOtherSide } from "../core/order-status-text.ts";
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
          <OrderCard order={order} ofOnePatient={ofOnePatient} />
        </li>
      ))}
    </ul>
  );
}

function OrderCard({ order, ofOnePatient }: { order: OrderRow; ofOnePatient: boolean }) {
  const t = useTexts("order");
  const { name, work } = useOrderNames();
  const other = getOtherSide(order);
  return (
    <ScreenLink {...useOrderLink(order)} className={classes.card} data-mine={order.myTurn || undefined}>
      <span className={classes.cardLine}>
        <Text component="span" fw={600} truncate>
          <bdi>{ofOnePatient ? work(order) : name(order)}</bdi>
        </Text>
        <UnreadBadge order={order} />
        <StateBadge order={order} />
      </span>
      <TurnText order={order} size="sm" />
      <span className={classes.cardLine}>
        <Text component="span" size="xs" c="dimmed" truncate>
          <bdi dir="ltr">{order.number}</bdi> ·{" "}
          {other ? t(order.mine === "sender" ? "order.to" : "order.from", { name: other.name }) : t("order.noLab")}
        </Text>
        <DueDay order={order} size="xs" />
      </span>
    </ScreenLink>
  );
}
