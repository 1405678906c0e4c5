import { Alert, Modal, Radio, Select, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { useGo } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import type { ActionDialogProps } from "./action-dialog.tsx";
import { DialogFoot } from "./dialog-foot.tsx";
import { useStep } from "./use-step.ts";

/**
 * Selects the lab to which an order is forwarded, the recipient of its shipment, and the information for the sender.
 * Then the new order opens.
 */
export function ForwardDialog({ order, action, onClose }: ActionDialogProps) {
  const t = useTexts("order", "forward");
  const go = useGo();
  const [target, setTarget] = useState<string | null>(null);
  const [straight, setStraight] = useState(false);
  const [showName, setShowName] = useState(false);
  const [tried, setTried] = useState(false);
  const step = useStep(order, action, (fresh) => {
    onClose();
    const child = fresh.family.child?.order;
    if (child) go("orderDetail", { id: child.id });
  });
  const isMade = order.prescription.workKinds.includes("machining");
  const press = () => {
    setTried(true);
    if (target) void step.run({ targetIid: target, straight: isMade && straight, showName });
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
        <Labs
          senderIid={order.sender.iid}
          value={target}
          onChange={setTarget}
          error={tried && !target ? t("order.missing.targetIid") : undefined}
        />
        {isMade && <ShipsTo sender={order.sender.name} straight={straight} onChange={setStraight} />}
        <Switch
          label={t("forward.showName")}
          description={t("forward.showNameText", { name: order.sender.name })}
          checked={showName}
          onChange={(event) => setShowName(event.currentTarget.checked)}
        />
        <DialogFoot
          does={t("forward.prepare")}
          busy={step.busy}
          disabled={!order.actions.includes(action)}
          problem={step.problem}
          onCancel={onClose}
          onDo={press}
        />
      </Stack>
    </Modal>
  );
}

interface ShipsToProps {
  sender: string;
  straight: boolean;
  onChange: (straight: boolean) => void;
}
function ShipsTo({ sender, straight, onChange }: ShipsToProps) {
  const t = useTexts("forward");
  return (
    <Radio.Group
      label={t("forward.shipsTo")}
      value={straight ? "sender" : "us"}
      onChange={(value) => onChange(value === "sender")}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="us" label={t("forward.toUs")} />
        <Radio value="sender" label={t("forward.toSender", { name: sender })} />
      </Stack>
    </Radio.Group>
  );
}

interface LabsProps {
  senderIid: string;
  value: string | null;
  onChange: (iid: string | null) => void;
  error: string | undefined;
}
function Labs({ senderIid, value, onChange, error }: LabsProps) {
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
