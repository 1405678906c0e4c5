import { Text, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { listStages } from "./order-stages.ts";
import type { OrderStage } from "./order-stages.ts";
import classes from "./stage-line.module.css";

/** The stages of an order as a line, with the days on which they were completed and the side that acts now. */
export function StageLine({ order }: { order: Order }) {
  const t = useTexts("order", "orderDetail");
  const turn = getTurnText(t, order);
  return (
    <ol className={classes.line} aria-label={t("orderDetail.stage.label")}>
      {listStages(order).map((stage) => (
        <Stage key={stage.name} stage={stage} turn={turn} isMine={order.myTurn} />
      ))}
    </ol>
  );
}

function Stage({ stage: { name, state, at }, turn, isMine }: { stage: OrderStage; turn: string; isMine: boolean }) {
  const t = useTexts("orderDetail");
  const isCurrent = state === "current";
  return (
    <li
      className={classes.stage}
      data-state={state}
      data-mine={(isCurrent && isMine) || undefined}
      aria-current={isCurrent ? "step" : undefined}
    >
      <span className={classes.track} aria-hidden>
        <span className={classes.dot}>
          {state === "done" && <IconCheck size={12} stroke={2.5} />}
          {state === "stopped" && <IconX size={12} stroke={2.5} />}
        </span>
        <span className={classes.way} />
      </span>
      <span className={classes.words}>
        <Text component="span" size="sm" className={classes.name!}>
          {t(`orderDetail.stage.${name}`)}
        </Text>
        <VisuallyHidden>{t(`orderDetail.stage.state.${state}`)}</VisuallyHidden>
        {at && (
          <Text component="time" size="xs" c="dimmed" dateTime={at}>
            {formatDay(at)}
          </Text>
        )}
        {isCurrent && turn && (
          <Text component="span" size="xs" className={classes.turn!}>
            {turn}
          </Text>
        )}
      </span>
    </li>
  );
}

/** The side whose turn it is, by its name; the reader's own side is addressed. */
function getTurnText(t: ReturnType<typeof useTexts>, { turn, myTurn, sender, receiver }: Order): string {
  if (myTurn) return t("order.turn.mine");
  return turn === "nobody" ? "" : ((turn === "sender" ? sender.name : receiver?.name) ?? "");
}
