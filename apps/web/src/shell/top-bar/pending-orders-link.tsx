import { Badge } from "@mantine/core";
import { IconHandClick } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import classes from "./top-bar.module.css";

/** The number of orders that wait for this institution, as a link to them. */
export function PendingOrdersLink() {
  const t = useTexts("shell");
  const canRead = useCanAccess(orderCalls.counts);
  const { data } = useCall(orderCalls.counts, {}, { enabled: canRead });
  if (!canRead || !data) return null;
  const shown = data.myTurn > 99 ? "99+" : String(data.myTurn);
  return (
    <ScreenLink
      screen="orderList"
      search={{ turn: "mine" }}
      className={classes.turn}
      title={t("shell.yourTurnCount", { count: data.myTurn })}
    >
      <IconHandClick size={20} stroke={1.6} aria-hidden />
      <span className={classes.words}>{t("shell.yourTurn")}</span>
      <Badge size="md" circle={data.myTurn < 10} variant={data.myTurn > 0 ? "filled" : "default"}>
        {shown}
      </Badge>
    </ScreenLink>
  );
}
