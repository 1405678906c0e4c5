import { Button, FileInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { deviceLifecycle } from "@arcada/contract/device/device.lifecycle";
import type { DeviceStep } from "@arcada/contract/device/device.lifecycle";
import { deviceRules, lockCodes } from "@arcada/contract/device/device.rules";
import type { LockCode } from "@arcada/contract/device/device.rules";
import { ask } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";
import { showError } from "../data/show-error.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

type Side = "clinic" | "service";
interface PendingTransition {
  device: Device;
  action: DeviceStep;
}

/** One button for every transition that the server permits to the user, and the dialog that it needs. */
export function useDeviceTransitions(side: Side): { buttons: (device: Device) => ReactNode; dialog: ReactNode } {
  const t = useTexts("device");
  const [pending, setPending] = useState<PendingTransition | null>(null);
  const buttons = (device: Device) =>
    device.actions.map((action) => (
      <Button
        key={action}
        size="sm"
        variant="default"
        onClick={() => setPending({ device, action })}
        aria-label={`${t(`device.action.${action}`)}: ${device.name ?? device.serialNumber}`}
      >
        {t(`device.action.${action}`)}
      </Button>
    ));
  const dialog = pending && (
    <TransitionDialog
      key={pending.device.id + pending.action}
      {...pending}
      side={side}
      onClose={() => setPending(null)}
    />
  );
  return { buttons, dialog };
}

const requiresInput = (action: DeviceStep, what: "reason" | "serialNumber" | "proof"): boolean =>
  deviceLifecycle.steps[action].asks?.includes(what) ?? false;

interface TransitionInput {
  code: LockCode | null;
  serialNumber: string;
  consent: File | null;
}
const emptyInput: TransitionInput = { code: null, serialNumber: "", consent: null };
type MissingInput = Record<"code" | "serialNumber", boolean>;
const nothingMissing: MissingInput = { code: false, serialNumber: false };
const needsCode = (action: DeviceStep, side: Side): boolean => action === "lock" && side === "service";

function TransitionDialog({ device, action, side, onClose }: PendingTransition & { side: Side; onClose: () => void }) {
  const t = useTexts("device");
  const [input, setInput] = useState(emptyInput);
  const [isAttempted, setAttempted] = useState(false);
  const { take: applyTransition, busy } = useApplyTransition({ device, action }, input, onClose);
  const missing = {
    code: needsCode(action, side) && input.code === null,
    serialNumber: requiresInput(action, "serialNumber") && !matchesSerial(device, input.serialNumber),
  };
  const confirm = (reason: string): void => {
    setAttempted(true);
    if (!missing.code && !missing.serialNumber) void applyTransition(reason);
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
          required: requiresInput(action, "reason"),
          maxLength: deviceRules.maxTextLength.reason,
        },
      })}
    >
      <TransitionFields
        device={device}
        action={action}
        side={side}
        input={input}
        set={setInput}
        missing={isAttempted ? missing : nothingMissing}
      />
    </ConfirmDialog>
  );
}

interface TransitionFieldsProps extends PendingTransition {
  side: Side;
  input: TransitionInput;
  set: (input: TransitionInput) => void;
  missing: MissingInput;
}
function TransitionFields({ device, action, side, input, set, missing }: TransitionFieldsProps) {
  const t = useTexts("device");
  return (
    <Stack gap="md">
      {needsCode(action, side) && (
        <Select
          label={t("device.lockWhy")}
          required
          data-autofocus
          value={input.code}
          onChange={(value) => set({ ...input, code: value as LockCode | null })}
          data={lockCodes.map((value) => ({ value, label: t(`device.lockCode.${value}`) }))}
          error={missing.code && t("device.lockWhyFirst")}
        />
      )}
      {requiresInput(action, "serialNumber") && (
        <TextInput
          label={t("device.serialAgain", { serial: device.serialNumber })}
          required
          data-autofocus
          autoComplete="off"
          value={input.serialNumber}
          onChange={(event) => set({ ...input, serialNumber: event.currentTarget.value })}
          error={missing.serialNumber && t("device.serialFirst")}
        />
      )}
      {requiresInput(action, "proof") && (
        <FileInput
          label={t("device.consent")}
          description={t("device.consentText")}
          placeholder={t("device.consentChoose")}
          accept=".pdf,.jpg,.jpeg,.png"
          clearable
          clearButtonProps={{ "aria-label": t("common.clear") }}
          value={input.consent}
          onChange={(consent) => set({ ...input, consent })}
        />
      )}
      {action === "unbind" && side === "service" && <Text size="sm">{t("device.unbindNeeds")}</Text>}
    </Stack>
  );
}

const matchesSerial = ({ serialNumber }: Device, typed: string): boolean =>
  typed.trim().toLowerCase() === serialNumber.trim().toLowerCase();

/** Performs the transition; a document is uploaded first. */
function useApplyTransition(
  { device, action }: PendingTransition,
  { code, serialNumber, consent }: TransitionInput,
  onDone: () => void,
) {
  const t = useTexts("device");
  const transition = useCommand(deviceCalls.step);
  const [isSending, setSending] = useState(false);
  const applyTransition = async (reason: string): Promise<void> => {
    setSending(true);
    try {
      const consentId = await uploadConsent(device, consent);
      const done = await transition.run({
        id: device.id,
        version: device.version,
        action,
        ...(reason && { reason }),
        ...(code && { code }),
        ...(serialNumber && { serialNumber }),
        ...(consentId && { consent: consentId }),
      });
      if (!done) return;
      onDone();
      toast("success", t(`device.done.${action}`));
    } catch (error) {
      showError(error);
    } finally {
      setSending(false);
    }
  };
  return { take: applyTransition, busy: transition.busy || isSending };
}

/** Uploads the document and returns its id; undefined if there is none. */
async function uploadConsent({ id }: Device, file: File | null): Promise<string | undefined> {
  if (!file) return undefined;
  const made = await ask(deviceCalls.consent, { id, name: file.name, bytes: file.size });
  await uploadInParts(file, { path: `/device-consents/${made.id}`, offset: 0, pieceBytes: deviceRules.consentBytes });
  return made.id;
}
