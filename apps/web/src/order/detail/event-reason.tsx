import { Text } from "@mantine/core";
import type { Order } from "@arcada/contract/order/order.calls";
import { formatList } from "../../i18n/format.ts";
import { formatReasonCode } from "../core/reason-code.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";

/** The reason code of a transition, and the faults of each item. */
export function EventReason({ order, event }: { order: Order; event: Order["events"][number] }) {
  const t = useTexts("forward");
  const teeth = useToothNames();
  return (
    <>
      {event.code && <Text size="sm">{formatReasonCode(t, event.action, event.code)}</Text>}
      {event.faults?.map(({ item, kinds }) => (
        <Text key={item} size="sm">
          {teeth.text(order.prescription.items[item]?.teeth ?? [])}{" "}
          {formatList(kinds.map((kind) => t(`forward.fault.${kind}`)))}
        </Text>
      ))}
    </>
  );
}
