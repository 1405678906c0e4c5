import { Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconArrowsSort } from "@tabler/icons-react";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { defaultDirection } from "@arcada/contract/order/order-list.filter";
import type { OrderColumn, OrderSort } from "@arcada/contract/order/order-list.filter";
import { useOpenScreen, useSetSearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { columnDefinitions } from "./order-columns.tsx";
import { useOrderLink } from "./use-order-link.ts";
import classes from "./order-rows.module.css";
import { getSort } from "./use-filtered-orders.ts";
import type { OrderFilter } from "./use-filtered-orders.ts";

interface OrderTableProps {
  orders: readonly OrderRow[];
  columns: readonly OrderColumn[];
  filter: OrderFilter;
}

/** Orders on a wide page. A click on a row opens its order, a click on a title sorts. */
export function OrderTable({ orders, columns, filter }: OrderTableProps) {
  const t = useTexts("order");
  return (
    <Table.ScrollContainer minWidth={900} type="native">
      <Table verticalSpacing={9} horizontalSpacing="md" highlightOnHover className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <ColumnTitle key={column} column={column} sort={getSort(filter)} title={t(`order.column.${column}`)} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {orders.map((order) => (
            <OrderTableRow key={order.id} order={order} columns={columns} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface ColumnTitleProps {
  column: OrderColumn;
  title: string;
  sort: { by: OrderSort; down: boolean };
}
function ColumnTitle({ column, title, sort: { by, down } }: ColumnTitleProps) {
  const setSearch = useSetSearchParams();
  const { sort } = columnDefinitions[column];
  if (!sort) return <Table.Th>{title}</Table.Th>;
  const isChosen = sort === by;
  const Icon = !isChosen ? IconArrowsSort : down ? IconArrowDown : IconArrowUp;
  // A second click reverses the order.
  const next = isChosen ? (down ? "up" : "down") : defaultDirection[sort];
  const choose = () => setSearch({ sort, way: next === defaultDirection[sort] ? undefined : next });
  return (
    <Table.Th {...(isChosen && { "aria-sort": down ? "descending" : "ascending" })}>
      <UnstyledButton className={classes.sort} data-chosen={isChosen || undefined} onClick={choose}>
        {title}
        <Icon size={14} stroke={1.8} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}

function OrderTableRow({ order, columns }: { order: OrderRow; columns: readonly OrderColumn[] }) {
  const go = useOpenScreen();
  const { screen, search } = useOrderLink(order);
  return (
    <Table.Tr className={classes.row} data-mine={order.myTurn || undefined} onClick={() => go(screen, search)}>
      {columns.map((column) => {
        const { Cell: Show, className } = columnDefinitions[column];
        return (
          <Table.Td key={column} className={className}>
            <Show order={order} />
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}
