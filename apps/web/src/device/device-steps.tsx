import { Button, FileInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { deviceCycle } from "@arcada/contract/device/device.cycle";
import type { DeviceStep } from "@arcada/contract/device/device.cycle";
import { deviceRules, lockCodes } from "@arcada/contract/device/device.rules";
import type { LockCode } from "@arcada/contract/device/device.rules";
import { ask } from "../kernel/ask.ts";
import { sendPieces } from "../kernel/send-pieces.ts";
import { show } from "../kernel/show.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";

type Side = "clinic" | "service";
interface Asking {
  device: Device;
  action: DeviceStep;
}

/** One button for every transition that the server permits to the user, and the dialog that it needs. */
export function useDeviceSteps(side: Side): { buttons: (device: Device) => ReactNode; dialog: ReactNode } {
  const t = useTexts("device");
  const [asking, setAsking] = useState<Asking | null>(null);
  const buttons = (device: Device) =>
    device.actions.map((action) => (
      <Button
        key={action}
        size="sm"
        variant="default"
        onClick={() => setAsking({ device, action })}
        aria-label={`${t(`device.action.${action}`)}: ${device.name ?? device.serialNumber}`}
      >
        {t(`device.action.${action}`)}
      </Button>
    ));
  const dialog = asking && (
    <StepDialog key={asking.device.id + asking.action} {...asking} side={side} onClose={() => setAsking(null)} />
  );
  return { buttons, dialog };
}

const asks = (action: DeviceStep, what: "reason" | "serialNumber" | "proof"): boolean =>
  deviceCycle.steps[action].asks?.includes(what) ?? false;

interface Given {
  code: LockCode | null;
  serialNumber: string;
  consent: File | null;
}
const nothing: Given = { code: null, serialNumber: "", consent: null };
type Lacks = Record<"code" | "serialNumber", boolean>;
const nothingLacks: Lacks = { code: false, serialNumber: false };
const needsCode = (action: DeviceStep, side: Side): boolean => action === "lock" && side === "service";

function StepDialog({ device, action, side, onClose }: Asking & { side: Side; onClose: () => void }) {
  const t = useTexts("device");
  const [given, setGiven] = useState(nothing);
  const [isAsked, setAsked] = useState(false);
  const { take, busy } = useStep({ device, action }, given, onClose);
  const lacks = {
    code: needsCode(action, side) && given.code === null,
    serialNumber: asks(action, "serialNumber") && !isSerial(device, given.serialNumber),
  };
  const confirm = (reason: string): void => {
    setAsked(true);
    if (!lacks.code && !lacks.serialNumber) void take(reason);
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={confirm}
      busy={busy}
      danger={action !== "unlock"}
      title={t(`device.step.${action}`, { name: device.name ?? device.serialNumber })}
      text={t(`device.stepText.${action}`, { days: deviceRules.forceDays })}
      confirm={t(`device.action.${action}`)}
      {...(action !== "unlock" && {
        reason: {
          label: t("device.reason"),
          needed: asks(action, "reason"),
          most: deviceRules.textMost.reason,
        },
      })}
    >
      <Fields
        device={device}
        action={action}
        side={side}
        given={given}
        set={setGiven}
        lacks={isAsked ? lacks : nothingLacks}
      />
    </ConfirmDialog>
  );
}

interface FieldsProps extends Asking {
  side: Side;
  given: Given;
  set: (given: Given) => void;
  lacks: Lacks;
}
function Fields({ device, action, side, given, set, lacks }: FieldsProps) {
  const t = useTexts("device");
  return (
    <Stack gap="md">
      {needsCode(action, side) && (
        <Select
          label={t("device.lockWhy")}
          required
          data-autofocus
          value={given.code}
          onChange={(value) => set({ ...given, code: value as LockCode | null })}
          data={lockCodes.map((value) => ({ value, label: t(`device.lockCode.${value}`) }))}
          error={lacks.code && t("device.lockWhyFirst")}
        />
      )}
      {asks(action, "serialNumber") && (
        <TextInput
          label={t("device.serialAgain", { serial: device.serialNumber })}
          required
          data-autofocus
          autoComplete="off"
          value={given.serialNumber}
          onChange={(event) => set({ ...given, serialNumber: event.currentTarget.value })}
          error={lacks.serialNumber && t("device.serialFirst")}
        />
      )}
      {asks(action, "proof") && (
        <FileInput
          label={t("device.consent")}
          description={t("device.consentText")}
          placeholder={t("device.consentChoose")}
          accept=".pdf,.jpg,.jpeg,.png"
          clearable
          clearButtonProps={{ "aria-label": t("common.clear") }}
          value={given.consent}
          onChange={(consent) => set({ ...given, consent })}
        />
      )}
      {action === "unbind" && side === "service" && <Text size="sm">{t("device.unbindNeeds")}</Text>}
    </Stack>
  );
}

const isSerial = ({ serialNumber }: Device, typed: string): boolean =>
  typed.trim().toLowerCase() === serialNumber.trim().toLowerCase();

/** Performs the transition; a document is uploaded first. */
function useStep({ device, action }: Asking, { code, serialNumber, consent }: Given, onDone: () => void) {
  const t = useTexts("device");
  const step = useCommand(deviceCalls.step);
  const [isSending, setSending] = useState(false);
  const take = async (reason: string): Promise<void> => {
    setSending(true);
    try {
      const paper = await sent(device, consent);
      const done = await step.run({
        id: device.id,
        version: device.version,
        action,
        ...(reason && { reason }),
        ...(code && { code }),
        ...(serialNumber && { serialNumber }),
        ...(paper && { consent: paper }),
      });
      if (!done) return;
      onDone();
      toast("success", t(`device.done.${action}`));
    } catch (error) {
      show(error);
    } finally {
      setSending(false);
    }
  };
  return { take, busy: step.busy || isSending };
}

/** Uploads the document and returns its id; undefined if there is none. */
async function sent({ id }: Device, file: File | null): Promise<string | undefined> {
  if (!file) return undefined;
  const made = await ask(deviceCalls.consent, { id, name: file.name, bytes: file.size });
  await sendPieces(file, { path: `/device-consents/${made.id}`, offset: 0, pieceBytes: deviceRules.consentBytes });
  return made.id;
}
