import { Switch } from "@mantine/core";
import { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";

/** The sender's permission for the lab to create links to the order. If it is withdrawn, the lab's links end. */
export function LabSharingSwitch({ order: { id, labShares } }: { order: Pick<Order, "id" | "labShares"> }) {
  const t = useTexts("forward");
  const command = useCommand(forwardCalls.letShare);
  return (
    <Switch
      label={t("forward.labShares")}
      checked={labShares ?? false}
      disabled={command.busy}
      onChange={(event) => void command.run({ id, on: event.currentTarget.checked })}
    />
  );
}
