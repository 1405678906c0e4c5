import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import { ActionFields } from "./action-fields.tsx";
import { actionEmphasis } from "./action-emphasis.ts";
import { getRequiredInputs, findProblems, getInitialInput, buildTransitionInput } from "./action-input.ts";
import { useOrderTransition } from "./use-order-transition.ts";
import { getToday } from "../../i18n/time-zone.ts";

export interface ActionDialogProps {
  order: Order;
  action: OrderAction;
  onClose: () => void;
  /** The reason that the dialog begins with. */
  reason?: string;
}

/**
 * One dialog for every action, with the fields that the life cycle requires. The input stays until the dialog is
 * closed.
 */
export function ActionDialog({ order, action, onClose, reason = "" }: ActionDialogProps) {
  const t = useTexts("order");
  const { id: ownUserId } = useSignedInUser();
  const [values, setValues] = useState(() => ({ ...getInitialInput(order, action, ownUserId), reason }));
  const [attempted, setAttempted] = useState(false);
  const [uploading, setUploading] = useState(false);
  const transition = useOrderTransition(order, action, onClose);
  const isOpen = order.actions.includes(action);
  const problems = findProblems(action, values, getToday());
  const press = () => {
    setAttempted(true);
    if (Object.keys(problems).length === 0) void transition.run(buildTransitionInput(order, action, values));
  };
  const isEmpty = !uploading && values.reason === reason && values.text === "" && values.files.length === 0;
  const isLarge = getRequiredInputs(action).some((ask) => ask === "files" || ask === "modelFiles");
  return (
    <Modal
      opened
      onClose={onClose}
      size={isLarge ? "lg" : "md"}
      title={t(`order.action.${action}`)}
      closeButtonProps={{ "aria-label": t("common.close") }}
      // Typed input is discarded only by a button that says so.
      closeOnClickOutside={isEmpty}
      closeOnEscape={isEmpty}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {translateDynamic(t, `order.consequence.${action}`, "")}
        </Text>
        {!isOpen && <Alert color="orange">{t("order.ask.gone")}</Alert>}
        <ActionFields
          order={order}
          action={action}
          values={values}
          problems={attempted ? problems : {}}
          onChange={(change) => setValues((now) => ({ ...now, ...change }))}
          onBusy={setUploading}
        />
        {transition.problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {transition.problem}
          </Text>
        )}
        <Buttons
          action={action}
          busy={transition.busy}
          uploading={uploading}
          disabled={!isOpen || uploading}
          onCancel={onClose}
          onConfirm={press}
        />
      </Stack>
    </Modal>
  );
}

interface ButtonsProps {
  action: OrderAction;
  busy: boolean;
  uploading: boolean;
  disabled: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}
function Buttons({ action, busy, uploading, disabled, onCancel, onConfirm }: ButtonsProps) {
  const t = useTexts("order");
  return (
    <Group justify="flex-end" gap="sm">
      {uploading && (
        <Text size="xs" c="dimmed" flex={1}>
          {t("order.ask.uploading")}
        </Text>
      )}
      <Button variant="default" onClick={onCancel} disabled={busy}>
        {t("common.cancel")}
      </Button>
      <Button
        {...(actionEmphasis[action] === "danger" && { color: "red.8" })}
        loading={busy}
        disabled={disabled}
        onClick={onConfirm}
      >
        {t(`order.action.${action}`)}
      </Button>
    </Group>
  );
}
