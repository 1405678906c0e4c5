import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { ComponentType } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { ScreenLink, useOpenScreen } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { ActionDialog } from "./action-dialog.tsx";
import type { ActionDialogProps } from "./action-dialog.tsx";
import { ForwardDialog } from "../forwarding/forward-dialog.tsx";
import { actionEmphasis } from "./action-emphasis.ts";
import { RemakeButton } from "../forwarding/remake-button.tsx";
import { PrescriptionDialog } from "./edit-prescription-dialog.tsx";
import classes from "../detail/order-detail.module.css";

const rankByEmphasis = { primary: 0, plain: 1, danger: 2 } as const;
const buttonProps = {
  primary: { variant: "filled" },
  plain: { variant: "default" },
  danger: { variant: "subtle", color: "red", c: "var(--mantine-color-error)" },
} as const;

/** Actions that need a dialog of their own, with more than the fields that the life cycle asks for. */
const dialogByAction: Partial<Record<OrderAction, ComponentType<ActionDialogProps>>> = {
  prepareForward: ForwardDialog,
  proposeChange: PrescriptionDialog,
  edit: PrescriptionDialog,
};

/** One button for each action that is open to the reader, primary actions first. */
export function ActionButtons({ order }: { order: Order }) {
  const t = useTexts("order");
  const [chosen, setChosen] = useState<OrderAction | null>(null);
  const Dialog = (chosen && dialogByAction[chosen]) ?? ActionDialog;
  const actions = order.actions.toSorted(
    (a, b) => rankByEmphasis[actionEmphasis[a]] - rankByEmphasis[actionEmphasis[b]],
  );
  return (
    <>
      <Group gap="xs" className={classes.actions}>
        {actions.map((action) =>
          action === "edit" && order.family.parent === null ? (
            <Button key={action} component={ScreenLink} screen="sendPage" search={{ id: order.id }}>
              {t("order.action.edit")}
            </Button>
          ) : (
            <Button key={action} {...buttonProps[actionEmphasis[action]]} onClick={() => setChosen(action)}>
              {t(`order.action.${action}`)}
            </Button>
          ),
        )}
        {order.mine === "sender" && order.state === "completed" && order.family.parent === null && (
          <RemakeButton id={order.id} />
        )}
        {order.mine === "sender" && order.state !== "draft" && <CopyButton id={order.id} />}
      </Group>
      {chosen && <Dialog key={chosen} order={order} action={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/** An ended order cannot be reopened: repeated work starts as a new draft. */
function CopyButton({ id }: { id: string }) {
  const t = useTexts("order");
  const go = useOpenScreen();
  const may = useCanAccess(orderCalls.copy);
  const copy = useCommand(orderCalls.copy);
  if (!may) return null;
  const press = async () => {
    const made = await copy.run({ id });
    if (made) go("sendPage", { id: made.data.id });
  };
  return (
    <Button variant="subtle" color="gray" loading={copy.busy} onClick={() => void press()}>
      {t("order.detail.copy")}
    </Button>
  );
}
