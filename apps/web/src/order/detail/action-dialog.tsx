import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { useUser } from "../../kernel/session.ts";
import { useTexts } from "../../kernel/texts.ts";
import { ActionFields } from "./action-fields.tsx";
import { actionLooks } from "./action-looks.ts";
import { asksOf, problemsIn, startOf, stepInput } from "./action-input.ts";
import { useStep } from "./use-step.ts";
import { today } from "../../kernel/zone.ts";

export interface ActionDialogProps {
  order: Order;
  action: OrderAction;
  onClose: () => void;
}

/**
 * One dialog for every action, with the fields that the life cycle requires. The input stays until the dialog is
 * closed.
 */
export function ActionDialog({ order, action, onClose }: ActionDialogProps) {
  const t = useTexts("order");
  const { id: me } = useUser();
  const [typed, setTyped] = useState(() => startOf(order, action, me));
  const [tried, setTried] = useState(false);
  const [uploading, setUploading] = useState(false);
  const step = useStep(order, action, onClose);
  const isOpen = order.actions.includes(action);
  const problems = problemsIn(action, typed, today());
  const press = () => {
    setTried(true);
    if (Object.keys(problems).length === 0) void step.run(stepInput(order, action, typed));
  };
  const isUntouched = !uploading && typed.reason === "" && typed.text === "" && typed.files.length === 0;
  const isLarge = asksOf(action).some((ask) => ask === "files" || ask === "modelFiles");
  return (
    <Modal
      opened
      onClose={onClose}
      size={isLarge ? "lg" : "md"}
      title={t(`order.action.${action}`)}
      closeButtonProps={{ "aria-label": t("common.close") }}
      // Typed input is discarded only by a button that says so.
      closeOnClickOutside={isUntouched}
      closeOnEscape={isUntouched}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t(`order.consequence.${action}`, { defaultValue: "" })}
        </Text>
        {!isOpen && <Alert color="orange">{t("order.ask.gone")}</Alert>}
        <ActionFields
          order={order}
          action={action}
          typed={typed}
          problems={tried ? problems : {}}
          onChange={(change) => setTyped((now) => ({ ...now, ...change }))}
          onBusy={setUploading}
        />
        {step.problem && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {step.problem}
          </Text>
        )}
        <Buttons
          action={action}
          busy={step.busy}
          uploading={uploading}
          disabled={!isOpen || uploading}
          onCancel={onClose}
          onDo={press}
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
  onDo: () => void;
}
function Buttons({ action, busy, uploading, disabled, onCancel, onDo }: ButtonsProps) {
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
        {...(actionLooks[action] === "danger" && { color: "red.8" })}
        loading={busy}
        disabled={disabled}
        onClick={onDo}
      >
        {t(`order.action.${action}`)}
      </Button>
    </Group>
  );
}
