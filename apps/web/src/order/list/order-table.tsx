import { Anchor, Table, Text } from "@mantine/core";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { showAgo, showTime } from "../../kernel/format.ts";
import { ScreenLink, useGo } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { DueDay, StateBadge, TurnLine } from "../order-state.tsx";
import { otherSide } from "../order-words.ts";
import { WorkText } from "../work-text.tsx";
import { linkOf } from "./order-link.ts";
import classes from "./order-rows.module.css";

const columns = ["number", "patient", "other", "work", "state", "due", "updated"] as const;

/** Orders on a wide page: a row opens its order. */
export function OrderTable({ orders }: { orders: readonly OrderRow[] }) {
  const t = useTexts("order");
  return (
    <Table.ScrollContainer minWidth={900} type="native">
      <Table verticalSpacing={9} horizontalSpacing="md" highlightOnHover className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{t(`order.column.${column}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {orders.map((order) => (
            <Row key={order.id} order={order} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ order }: { order: OrderRow }) {
  const t = useTexts("order");
  const go = useGo();
  const { screen, search } = linkOf(order);
  const other = otherSide(order);
  return (
    <Table.Tr className={classes.row} data-mine={order.myTurn || undefined} onClick={() => go(screen, search)}>
      <Table.Td>
        <Anchor
          component={ScreenLink}
          screen={screen}
          search={search}
          size="sm"
          fw={600}
          className="arcada-figures"
          onClick={(event) => event.stopPropagation()}
        >
          {order.number}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <TwoLines first={order.patientName} second={order.patientNumber} />
      </Table.Td>
      <Table.Td>
        <TwoLines
          first={
            other ? t(order.mine === "sender" ? "order.to" : "order.from", { name: other.name }) : t("order.noLab")
          }
          second={order.mine === "sender" ? order.creatorName : (order.assigneeName ?? "")}
        />
      </Table.Td>
      <Table.Td>
        <Text size="sm" lineClamp={2}>
          <WorkText order={order} />
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge state={order.state} />
        <div className={classes.turn}>
          <TurnLine order={order} />
        </div>
      </Table.Td>
      <Table.Td className={classes.due}>
        <DueDay order={order} />
      </Table.Td>
      <Table.Td>
        <Text
          size="xs"
          c="dimmed"
          component="time"
          dateTime={order.updatedAt}
          title={showTime(order.updatedAt)}
          className={classes.ago}
        >
          {showAgo(order.updatedAt)}
        </Text>
      </Table.Td>
    </Table.Tr>
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
