import { Anchor, Text } from "@mantine/core";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import type { OrderColumn, OrderSort } from "@arcada/contract/order/order-list.filter";
import type { ReactNode } from "react";
import { formatTimeAgo, formatDay, formatTimestamp } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useOrderNames } from "../../i18n/order-name.ts";
import { useTexts } from "../../i18n/texts.ts";
import { DueDay, StateBadge, TurnText, UnreadBadge } from "../core/order-status.tsx";
import { getOtherSide } from "../core/order-status-text.ts";
import { OrderSubject } from "../core/order-subject.tsx";
import { useOrderLink } from "./use-order-link.ts";
import classes from "./order-rows.module.css";

interface ColumnDefinition {
  sort?: OrderSort;
  Cell: (row: { order: OrderRow }) => ReactNode;
  className?: string | undefined;
}

/** The content and the sort key of each column of the table. */
export const columnDefinitions: Record<OrderColumn, ColumnDefinition> = {
  number: { sort: "number", Cell: NumberCell, className: classes.name },
  patient: {
    sort: "patient",
    Cell: ({ order }) => <TwoLines first={order.patientName} second={order.patientNumber} />,
    className: classes.name,
  },
  other: { Cell: OtherSideCell },
  work: {
    Cell: ({ order }) => (
      <Text size="sm" lineClamp={2} component="div">
        <OrderSubject order={order} />
      </Text>
    ),
  },
  caseType: { Cell: CaseTypeCell, className: classes.whole },
  state: { sort: "state", Cell: StateCell },
  due: { sort: "due", Cell: ({ order }) => <DueDay order={order} />, className: classes.due },
  person: {
    Cell: ({ order }) => (
      <Text size="sm" lineClamp={1}>
        {getResponsibleName(order) ?? "–"}
      </Text>
    ),
  },
  created: {
    sort: "created",
    Cell: ({ order: { createdAt } }) => (
      <Text
        size="sm"
        component="time"
        dateTime={createdAt}
        title={formatTimestamp(createdAt)}
        className={classes.whole!}
      >
        {formatDay(createdAt)}
      </Text>
    ),
  },
  updated: {
    sort: "updated",
    Cell: ({ order: { updatedAt } }) => (
      <Text
        size="xs"
        c="dimmed"
        component="time"
        dateTime={updatedAt}
        title={formatTimestamp(updatedAt)}
        className={classes.whole!}
      >
        {formatTimeAgo(updatedAt)}
      </Text>
    ),
  },
};

/** Returns the responsible person on the reader's side of the order. */
const getResponsibleName = (order: OrderRow): string | null =>
  order.mine === "sender" ? order.responsibleName : order.assigneeName;

/** The name of the order, and its number. */
function NumberCell({ order }: { order: OrderRow }) {
  const { name } = useOrderNames();
  return (
    <Anchor
      component={ScreenLink}
      {...useOrderLink(order)}
      size="sm"
      fw={600}
      onClick={(event) => event.stopPropagation()}
    >
      <bdi>{name(order)}</bdi> <UnreadBadge order={order} />
      <Text span display="block" size="xs" c="dimmed" className="arcada-figures">
        <bdi dir="ltr">{order.number}</bdi>
      </Text>
    </Anchor>
  );
}

function OtherSideCell({ order }: { order: OrderRow }) {
  const t = useTexts("order");
  const other = getOtherSide(order);
  return (
    <TwoLines
      first={other ? t(order.mine === "sender" ? "order.to" : "order.from", { name: other.name }) : t("order.noLab")}
      second={getResponsibleName(order) ?? ""}
    />
  );
}

function CaseTypeCell({ order }: { order: OrderRow }) {
  const t = useTexts("order");
  return <Text size="sm">{t(`order.caseType.${order.caseType}`)}</Text>;
}

function StateCell({ order }: { order: OrderRow }) {
  return (
    <>
      <StateBadge order={order} />
      <div className={classes.turn}>
        <TurnText order={order} />
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
