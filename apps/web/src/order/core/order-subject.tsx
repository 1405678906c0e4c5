import type { OrderRow } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";

/** "Restoration · 11, 35–37": the subject of an order. */
export function OrderSubject({ order }: { order: Pick<OrderRow, "caseType" | "teeth"> }) {
  const t = useTexts("order");
  const teeth = useToothNames();
  return [t(`order.caseType.${order.caseType}`), teeth.text(order.teeth)].filter(Boolean).join(" · ");
}
