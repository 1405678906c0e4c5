import { Button, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import { remakeBearers, remakeClasses } from "@arcada/contract/order/order-steps.rules";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { DialogFooter } from "../actions/dialog-footer.tsx";

/** Starts a remake of faulty work as a draft that states the fault. */
export function RemakeButton({ id }: { id: string }) {
  const t = useTexts("order", "forward");
  const may = useCanAccess(forwardCalls.remake);
  const [isOpen, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("forward.remake")}
      </Button>
      {isOpen && <RemakeDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

function RemakeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts("order", "forward");
  const go = useOpenScreen();
  const remake = useCommand(forwardCalls.remake);
  const [fault, setFault] = useState<(typeof remakeClasses)[number]>("lab");
  const [costBearer, setCostBearer] = useState<(typeof remakeBearers)[number]>("open");
  const press = async () => {
    const made = await remake.run({ id, class: fault, bears: costBearer });
    if (made) go("sendPage", { id: made.data.id });
  };
  return (
    <Modal opened onClose={onClose} title={t("forward.remake")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("forward.remakeSays")}
        </Text>
        <Radio.Group
          label={t("forward.remakeClass")}
          value={fault}
          onChange={(value) => setFault(remakeClasses.find((one) => one === value) ?? "lab")}
        >
          <Stack gap="xs" mt="xs">
            {remakeClasses.map((one) => (
              <Radio key={one} value={one} label={t(`forward.class.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t("forward.remakeBears")}
          value={costBearer}
          onChange={(value) => setCostBearer(remakeBearers.find((one) => one === value) ?? "open")}
        >
          <Stack gap="xs" mt="xs">
            {remakeBearers.map((one) => (
              <Radio key={one} value={one} label={t(`forward.bears.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <DialogFooter
          confirmLabel={t("forward.remakeStart")}
          busy={remake.busy}
          onCancel={onClose}
          onConfirm={() => void press()}
        />
      </Stack>
    </Modal>
  );
}
