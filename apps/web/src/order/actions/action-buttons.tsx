import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { ComponentType } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
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

interface ActionButtonsProps {
  order: Order;
  /** Actions that have their buttons at another place of the page. */
  elsewhere: readonly OrderAction[];
}

/** One button for each action that is open to the reader, primary actions first. */
export function ActionButtons({ order, elsewhere }: ActionButtonsProps) {
  const t = useTexts("order");
  const [chosen, setChosen] = useState<OrderAction | null>(null);
  const Dialog = (chosen && dialogByAction[chosen]) ?? ActionDialog;
  const actions = order.actions
    .filter((action) => !elsewhere.includes(action))
    .toSorted((a, b) => rankByEmphasis[getEmphasis(order, a)] - rankByEmphasis[getEmphasis(order, b)]);
  return (
    <>
      <Group gap="xs" className={classes.actions}>
        {actions.map((action) =>
          action === "edit" && order.family.parent === null ? (
            <Button
              key={action}
              {...buttonProps[getEmphasis(order, action)]}
              component={ScreenLink}
              screen="sendPage"
              search={{ id: order.id }}
            >
              {t("order.action.edit")}
            </Button>
          ) : (
            <Button key={action} {...buttonProps[getEmphasis(order, action)]} onClick={() => setChosen(action)}>
              {t(`order.action.${action}`)}
            </Button>
          ),
        )}
        {order.mine === "sender" && order.state === "completed" && order.family.parent === null && (
          <RemakeButton id={order.id} />
        )}
      </Group>
      {chosen && <Dialog key={chosen} order={order} action={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/** A page has one main action: a draft that can be sent is sent, and editing it stands beside. */
const getEmphasis = ({ actions }: Order, action: OrderAction): (typeof actionEmphasis)[OrderAction] =>
  action === "edit" && actions.includes("submit") ? "plain" : actionEmphasis[action];
