import { Anchor, Text } from "@mantine/core";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { OrderColumn, OrderSort } from "@arcada/contract/order/list.filter";
import type { ReactNode } from "react";
import { showAgo, showDay, showTime } from "../../kernel/format.ts";
import { ScreenLink } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { DueDay, StateBadge, TurnLine, UnreadMark } from "../order-state.tsx";
import { otherSide } from "../order-words.ts";
import { WorkText } from "../work-text.tsx";
import { useOrderLink } from "./order-link.ts";
import classes from "./order-rows.module.css";

interface ShownColumn {
  sort?: OrderSort;
  Show: (row: { order: OrderRow }) => ReactNode;
  className?: string | undefined;
}

/** The content and the sort key of each column of the table. */
export const shownColumns: Record<OrderColumn, ShownColumn> = {
  number: { sort: "number", Show: Number, className: classes.whole },
  patient: {
    sort: "patient",
    Show: ({ order }) => <TwoLines first={order.patientName} second={order.patientNumber} />,
    className: classes.name,
  },
  other: { Show: Other },
  work: {
    Show: ({ order }) => (
      <Text size="sm" lineClamp={2} component="div">
        <WorkText order={order} />
      </Text>
    ),
  },
  caseType: { Show: CaseType, className: classes.whole },
  state: { sort: "state", Show: State },
  due: { sort: "due", Show: ({ order }) => <DueDay order={order} />, className: classes.due },
  person: {
    Show: ({ order }) => (
      <Text size="sm" lineClamp={1}>
        {inCharge(order) ?? "–"}
      </Text>
    ),
  },
  created: {
    sort: "created",
    Show: ({ order: { createdAt } }) => (
      <Text size="sm" component="time" dateTime={createdAt} title={showTime(createdAt)} className={classes.whole!}>
        {showDay(createdAt)}
      </Text>
    ),
  },
  updated: {
    sort: "updated",
    Show: ({ order: { updatedAt } }) => (
      <Text
        size="xs"
        c="dimmed"
        component="time"
        dateTime={updatedAt}
        title={showTime(updatedAt)}
        className={classes.whole!}
      >
        {showAgo(updatedAt)}
      </Text>
    ),
  },
};

/** Returns the responsible person on the reader's side of the order. */
const inCharge = (order: OrderRow): string | null =>
  order.mine === "sender" ? order.responsibleName : order.assigneeName;

function Number({ order }: { order: OrderRow }) {
  return (
    <Anchor
      component={ScreenLink}
      {...useOrderLink(order)}
      size="sm"
      fw={600}
      className="arcada-figures"
      onClick={(event) => event.stopPropagation()}
    >
      {order.number} <UnreadMark order={order} />
    </Anchor>
  );
}

function Other({ order }: { order: OrderRow }) {
  const t = useTexts("order");
  const other = otherSide(order);
  return (
    <TwoLines
      first={other ? t(order.mine === "sender" ? "order.to" : "order.from", { name: other.name }) : t("order.noLab")}
      second={inCharge(order) ?? ""}
    />
  );
}

function CaseType({ order }: { order: OrderRow }) {
  const t = useTexts("order");
  return <Text size="sm">{t(`order.caseType.${order.caseType}`)}</Text>;
}

function State({ order }: { order: OrderRow }) {
  return (
    <>
      <StateBadge order={order} />
      <div className={classes.turn}>
        <TurnLine order={order} />
      </div>
    </>
  );
}

function TwoLines({ first, second }: { first: string; second: string }) {
  return (
    <>
      <Text size="sm" lineClamp={1}>
        {first}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1} className="arcada-figures">
        {second}
      </Text>
    </>
  );
}
