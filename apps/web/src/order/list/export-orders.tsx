import { ActionIcon, Tooltip } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useState } from "react";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import { listRules } from "@arcada/contract/order/order-list.filter";
import { ask } from "../../data/ask.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import type { OrderFilter } from "./use-filtered-orders.ts";

/** Exports the listed orders as a spreadsheet. */
export function ExportOrders({ filter }: { filter: OrderFilter }) {
  const t = useTexts("order");
  const [isBusy, setBusy] = useState(false);
  const exportNow = async () => {
    setBusy(true);
    try {
      const { url, rows, cut } = await ask(listCalls.export, filter, { timeout: 120_000 });
      toast("success", t("order.list.exported", { count: rows }));
      if (cut) toast("info", t("order.list.exportCut", { count: listRules.exportRows }));
      location.assign(url);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Tooltip label={t("order.list.exportAll")}>
      <ActionIcon
        variant="default"
        size={36}
        loading={isBusy}
        aria-label={t("order.list.exportAll")}
        onClick={() => void exportNow().catch(() => {})}
      >
        <IconTableExport size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
