import { Badge, Text } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { groupFilter } from "@arcada/contract/order/order-today.calls";
import type { OrderGroup, PersonLoad, TodayRow } from "@arcada/contract/order/order-today.calls";
import { listRules } from "@arcada/contract/order/order-list.filter";
import { ScreenLink } from "../../browser/navigation.tsx";
import type { SearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import { DueDay, StateBadge, UnreadBadge } from "../core/order-status.tsx";
import { getOtherSide } from "../core/order-status-text.ts";
import { OrderSubject } from "../core/order-subject.tsx";
import { useOrderLink } from "../list/use-order-link.ts";
import { AssignButtons } from "./assign-buttons.tsx";
import classes from "./todays-orders.module.css";

const dueGroups = ["late", "dueToday", "dueSoon"] as const;
const isDueGroup = (group: OrderGroup): group is (typeof dueGroups)[number] => dueGroups.some((one) => one === group);

/** Returns the title of a group: a day, or what is to be done. */
export function useGroupTitle(): (group: OrderGroup) => string {
  const t = useTexts("today", "order");
  return (group) => (isDueGroup(group) ? t(`today.group.${group}`) : t(`order.task.${group}`));
}

/** The search parameters with which the order list shows exactly the orders of a group. */
export const groupSearch = (group: OrderGroup, day: string, personId: string | undefined): SearchParams => ({
  ...groupFilter(group, day, personId),
  sort: "due",
});

export const formatTotal = (total: number): string =>
  total >= listRules.maxTotalCount ? `${listRules.maxTotalCount}+` : String(total);

interface OrderGroupProps {
  group: OrderGroup;
  total: number;
  list: readonly TodayRow[];
  day: string;
  personId: string | undefined;
  people: readonly PersonLoad[];
}

/** Orders of which the same is to be done, the most urgent first; the title leads to all of them in the order list. */
export function OrderGroupSection({ group, total, list, day, personId, people }: OrderGroupProps) {
  const t = useTexts("today");
  const title = useGroupTitle()(group);
  const count = formatTotal(total);
  return (
    <Section
      flush
      title={
        <span className={classes.title}>
          {title}
          <Badge variant="light" color={group === "late" ? "red" : "brand"} size="lg" circle={count.length < 3}>
            {count}
          </Badge>
        </span>
      }
      actions={
        total > list.length && (
          <ScreenLink
            screen="orderList"
            search={groupSearch(group, day, personId)}
            className={classes.all}
            aria-label={t("today.allOf", { title, count: total })}
          >
            {t("today.all", { count: total })}
            <IconChevronRight size={16} aria-hidden />
          </ScreenLink>
        )
      }
    >
      <ul className={classes.rows}>
        {list.map((order) => (
          <OrderLine key={order.id} order={order} people={people} withState={isDueGroup(group)} />
        ))}
      </ul>
    </Section>
  );
}

interface OrderLineProps {
  order: TodayRow;
  people: readonly PersonLoad[];
  /** False where the title of the group says the state. */
  withState: boolean;
}
function OrderLine({ order, people, withState }: OrderLineProps) {
  const t = useTexts("order");
  const other = getOtherSide(order);
  return (
    <li className={classes.row}>
      <ScreenLink {...useOrderLink(order)} className={classes.link}>
        <span className={classes.line}>
          <Text component="span" fw={600} truncate>
            {order.patientName}
          </Text>
          <Text component="span" size="sm" truncate>
            <OrderSubject order={order} />
          </Text>
          <UnreadBadge order={order} />
        </span>
        <span className={classes.facts}>
          <DueDay order={order} size="xs" />
          <Text component="span" size="xs" c="dimmed" truncate>
            {[order.number, other && t(order.mine === "sender" ? "order.to" : "order.from", { name: other.name })]
              .filter(Boolean)
              .join(" · ")}
          </Text>
        </span>
      </ScreenLink>
      {withState && <StateBadge order={order} />}
      <AssignButtons order={order} people={people} />
    </li>
  );
}
