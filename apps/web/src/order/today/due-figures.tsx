import { Text } from "@mantine/core";
import type { OrderGroup } from "@arcada/contract/order/order-today.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { formatTotal, groupSearch, useGroupTitle } from "./order-group.tsx";
import classes from "./todays-orders.module.css";

interface DueFiguresProps {
  groups: readonly { group: OrderGroup; total: number }[];
  day: string;
  personId: string | undefined;
}

/**
 * The numbers of orders that are late, due and elsewhere, as links to them. Their rows stand below, under what is to be
 * done with them, so that no order is shown twice.
 */
export function DueFigures({ groups, day, personId }: DueFiguresProps) {
  const titleOf = useGroupTitle();
  return (
    <div className={classes.strip}>
      {groups.map(({ group, total }) => (
        <ScreenLink
          key={group}
          screen="orderList"
          search={groupSearch(group, day, personId)}
          className={classes.figure}
          data-late={(group === "late" && total > 0) || undefined}
        >
          <strong>{formatTotal(total)}</strong>
          <Text component="span" size="sm">
            {titleOf(group)}
          </Text>
        </ScreenLink>
      ))}
    </div>
  );
}
