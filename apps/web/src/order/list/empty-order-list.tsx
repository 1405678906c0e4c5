import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { isFiltered } from "./use-orders.ts";
import type { OrderFilter } from "./use-orders.ts";

/** Explains why the list is empty and offers a next step. */
export function EmptyOrderList({ filter, onShowAll }: { filter: OrderFilter; onShowAll: () => void }) {
  const t = useTexts("order");
  const maySend = useCanAccess(orderCalls.save);
  const kind = isFiltered(filter) ? "filter" : filter.turn ? "turn" : maySend ? "clinic" : "lab";
  return (
    <EmptyState title={t(`order.empty.${kind}Title`)} text={t(`order.empty.${kind}Text`)}>
      {(kind === "filter" || kind === "turn") && (
        <Button component={ScreenLink} screen="orderList" variant="default" onClick={onShowAll}>
          {t("order.empty.filterAction")}
        </Button>
      )}
      {kind === "clinic" && (
        <Button component={ScreenLink} screen="sendPage" leftSection={<IconPlus size={18} aria-hidden />}>
          {t("order.new")}
        </Button>
      )}
      {kind === "lab" && (
        <Button component={ScreenLink} screen="relationWeb" variant="default">
          {t("order.empty.labAction")}
        </Button>
      )}
    </EmptyState>
  );
}
