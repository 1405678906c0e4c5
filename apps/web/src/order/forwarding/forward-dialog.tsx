import { Alert, Modal, Radio, Select, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import type { ActionDialogProps } from "../actions/action-dialog.tsx";
import { DialogFooter } from "../actions/dialog-footer.tsx";
import { useOrderTransition } from "../actions/use-order-transition.ts";

/**
 * Selects the lab to which an order is forwarded, the recipient of its shipment, and the information for the sender.
 * Then the new order opens.
 */
export function ForwardDialog({ order, action, onClose }: ActionDialogProps) {
  const t = useTexts("order", "forward");
  const go = useOpenScreen();
  const [target, setTarget] = useState<string | null>(null);
  const [shipsDirectly, setShipsDirectly] = useState(false);
  const [showName, setShowName] = useState(false);
  const [attempted, setAttempted] = useState(false);
  const transition = useOrderTransition(order, action, (fresh) => {
    onClose();
    const child = fresh.family.child?.order;
    if (child) go("orderDetail", { id: child.id });
  });
  const includesMachining = order.prescription.workKinds.includes("machining");
  const press = () => {
    setAttempted(true);
    if (target) void transition.run({ targetIid: target, straight: includesMachining && shipsDirectly, showName });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("order.action.prepareForward")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("forward.says")}
        </Text>
        {!order.actions.includes(action) && <Alert color="orange">{t("order.ask.gone")}</Alert>}
        <LabSelect
          senderIid={order.sender.iid}
          value={target}
          onChange={setTarget}
          error={attempted && !target ? t("order.missing.targetIid") : undefined}
        />
        {includesMachining && (
          <ShippingTarget sender={order.sender.name} shipsDirectly={shipsDirectly} onChange={setShipsDirectly} />
        )}
        <Switch
          label={t("forward.showName")}
          description={t("forward.showNameText", { name: order.sender.name })}
          checked={showName}
          onChange={(event) => setShowName(event.currentTarget.checked)}
        />
        <DialogFooter
          confirmLabel={t("forward.prepare")}
          busy={transition.busy}
          disabled={!order.actions.includes(action)}
          problem={transition.problem}
          onCancel={onClose}
          onConfirm={press}
        />
      </Stack>
    </Modal>
  );
}

interface ShippingTargetProps {
  sender: string;
  shipsDirectly: boolean;
  onChange: (shipsDirectly: boolean) => void;
}
function ShippingTarget({ sender, shipsDirectly, onChange }: ShippingTargetProps) {
  const t = useTexts("forward");
  return (
    <Radio.Group
      label={t("forward.shipsTo")}
      value={shipsDirectly ? "sender" : "us"}
      onChange={(value) => onChange(value === "sender")}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="us" label={t("forward.toUs")} />
        <Radio value="sender" label={t("forward.toSender", { name: sender })} />
      </Stack>
    </Radio.Group>
  );
}

interface LabSelectProps {
  senderIid: string;
  value: string | null;
  onChange: (iid: string | null) => void;
  error: string | undefined;
}
function LabSelect({ senderIid, value, onChange, error }: LabSelectProps) {
  const t = useTexts("order", "forward");
  const { data } = useCall(relationCalls.list, { state: "established" });
  const labs = (data ?? []).filter(({ other }) => other.type === "lab" && other.id !== senderIid);
  return (
    <Select
      label={t("forward.lab")}
      placeholder={t("common.select")}
      searchable={labs.length > 8}
      disabled={labs.length === 0}
      {...(data && labs.length === 0 && { description: t("forward.noLab") })}
      data={labs.map(({ other }) => ({ value: other.id, label: other.name }))}
      value={value}
      allowDeselect={false}
      onChange={onChange}
      error={error}
    />
  );
}
