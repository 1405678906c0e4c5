import { ActionIcon, Badge, Menu, Text, Title } from "@mantine/core";
import { IconArrowsMove } from "@tabler/icons-react";
import { useState } from "react";
import type { BoardStage, OrderGroup, PersonLoad, TodayRow } from "@arcada/contract/order/order-today.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { DueDay, UnreadBadge } from "../core/order-status.tsx";
import { getOtherSide, getDueStatus } from "../core/order-status-text.ts";
import { OrderSubject } from "../core/order-subject.tsx";
import { useOrderLink } from "../list/use-order-link.ts";
import { AssignButtons } from "./assign-buttons.tsx";
import { formatTotal, groupSearch, useGroupTitle } from "./order-group.tsx";
import { useBoardMove } from "./use-board-move.tsx";
import classes from "./order-board.module.css";

interface OrderBoardProps {
  columns: readonly { group: OrderGroup; total: number; list: readonly TodayRow[] }[];
  people: readonly PersonLoad[];
  day: string;
  personId: string | undefined;
}

/**
 * The laboratory's orders by stage. An order moves by dragging it, or by the menu of its card, and only to the stages
 * that its life cycle opens to the reader.
 */
export function OrderBoard({ columns, people, day, personId }: OrderBoardProps) {
  const [dragged, setDragged] = useState<TodayRow | null>(null);
  const { move, dialog } = useBoardMove();
  return (
    <>
      <div className={classes.board}>
        {columns.map(({ group, total, list }) => (
          <BoardColumn
            key={group}
            stage={group as BoardStage}
            total={total}
            search={groupSearch(group, day, personId)}
            list={list}
            people={people}
            dragged={dragged}
            onDrag={setDragged}
            onMove={move}
          />
        ))}
      </div>
      {dialog}
    </>
  );
}

interface BoardColumnProps {
  stage: BoardStage;
  total: number;
  search: ReturnType<typeof groupSearch>;
  list: readonly TodayRow[];
  people: readonly PersonLoad[];
  dragged: TodayRow | null;
  onDrag: (order: TodayRow | null) => void;
  onMove: (order: TodayRow, to: BoardStage) => void;
}
function BoardColumn({ stage, total, search, list, people, dragged, onDrag, onMove }: BoardColumnProps) {
  const t = useTexts("today");
  const title = useGroupTitle()(stage);
  const isTarget = dragged?.moves.some(({ to }) => to === stage) ?? false;
  return (
    <section
      className={classes.column}
      aria-label={title}
      data-target={isTarget || undefined}
      data-closed={(dragged !== null && !isTarget) || undefined}
      // A drop is accepted only where the default of dragging over is prevented.
      onDragOver={(event) => isTarget && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (dragged && isTarget) onMove(dragged, stage);
        onDrag(null);
      }}
    >
      <ScreenLink screen="orderList" search={search} className={classes.head}>
        <Title order={2} size="h5">
          {title}
        </Title>
        <Badge variant="light" color="gray" size="md">
          {formatTotal(total)}
        </Badge>
      </ScreenLink>
      {isTarget && <span className={classes.drop}>{t("today.move.here")}</span>}
      {list.length === 0 && !isTarget && (
        <Text size="xs" c="dimmed" px={4}>
          {t("today.column.empty")}
        </Text>
      )}
      <ul className={classes.cards}>
        {list.map((order) => (
          <BoardCard key={order.id} order={order} people={people} onDrag={onDrag} onMove={onMove} />
        ))}
      </ul>
      {total > list.length && (
        <Text size="xs" c="dimmed" px={4}>
          {t("today.column.shown", { shown: list.length, count: total })}
        </Text>
      )}
    </section>
  );
}

type BoardCardProps = Pick<BoardColumnProps, "people" | "onDrag" | "onMove"> & { order: TodayRow };
function BoardCard({ order, people, onDrag, onMove }: BoardCardProps) {
  const t = useTexts("order");
  const other = getOtherSide(order);
  return (
    <li
      className={classes.card}
      data-urgency={getDueStatus(t, order)?.urgency}
      draggable={order.moves.length > 0}
      onDragStart={(event) => {
        event.dataTransfer.setData("text/plain", order.number);
        event.dataTransfer.effectAllowed = "move";
        onDrag(order);
      }}
      onDragEnd={() => onDrag(null)}
    >
      <ScreenLink {...useOrderLink(order)} className={classes.open} draggable={false}>
        <span className={classes.line}>
          <Text component="span" size="sm" fw={600} truncate>
            {order.patientName}
          </Text>
          <UnreadBadge order={order} />
        </span>
        <Text component="span" size="xs" lineClamp={2}>
          <OrderSubject order={order} />
        </Text>
        <Text component="span" size="xs" c="dimmed" truncate>
          {[order.number, other?.name].filter(Boolean).join(" · ")}
        </Text>
        <DueDay order={order} size="xs" />
      </ScreenLink>
      <span className={classes.line}>
        <AssignButtons order={order} people={people} />
        <MoveMenu order={order} onMove={onMove} />
      </span>
    </li>
  );
}

/** The same moves as by dragging, for the keyboard and for touch. */
function MoveMenu({ order, onMove }: Pick<BoardCardProps, "order" | "onMove">) {
  const t = useTexts("today", "order");
  const titleOf = useGroupTitle();
  if (order.moves.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          className={classes.move!}
          aria-label={t("today.move.label", { number: order.number })}
        >
          <IconArrowsMove size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {order.moves.map(({ action, to }) => (
          <Menu.Item key={to} onClick={() => onMove(order, to)}>
            {t("today.move.to", { action: t(`order.action.${action}`), stage: titleOf(to) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
