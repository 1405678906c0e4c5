import { Autocomplete, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormError } from "../ui/form/form-error.tsx";
import { OneTimeSecret } from "../ui/one-time-secret-dialog.tsx";

/** Registers a device: asks for the data on its type plate, then shows its activation code once. */
export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts("device");
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <ActivationCodeOnce code={code} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("device.register.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Form onClose={onClose} onRegistered={setCode} />
    </Modal>
  );
}

export function ActivationCodeOnce({ code, onClose }: { code: string; onClose: () => void }) {
  const t = useTexts("device");
  return (
    <OneTimeSecret
      title={t("device.register.codeTitle")}
      text={t("device.register.codeText", { days: deviceRules.codeDays })}
      label={t("device.activationCode")}
      secret={code}
      onClose={onClose}
    />
  );
}

function Form({ onClose, onRegistered }: { onClose: () => void; onRegistered: (code: string) => void }) {
  const t = useTexts("device");
  const kinds = useCall(deviceCalls.kinds, {}).data ?? [];
  const { form, submit, busy, problem, error } = useCallForm(deviceCalls.register, {
    defaults: { product: "", serialNumber: "", model: "", firmware: "" },
    onSuccess: ({ activationCode }) => onRegistered(activationCode),
  });
  const product = form.watch("product");
  const suggestions = {
    product: kinds.map((kind) => kind.product),
    model: kinds.find((kind) => kind.product === product)?.models ?? [],
  };
  const renderField = (name: "product" | "model") => (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { ref: _, ...field } }) => (
        <Autocomplete
          label={t(`device.${name}`)}
          required
          maxLength={deviceRules.maxTextLength[name]}
          data={suggestions[name]}
          error={error(name)}
          {...field}
        />
      )}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {renderField("product")}
        {renderField("model")}
        <TextInput
          label={t("device.serialNumber")}
          required
          autoComplete="off"
          maxLength={deviceRules.maxTextLength.serialNumber}
          {...form.register("serialNumber")}
          error={error("serialNumber")}
        />
        <TextInput
          label={t("device.firmware")}
          autoComplete="off"
          maxLength={deviceRules.maxTextLength.firmware}
          {...form.register("firmware")}
          error={error("firmware")}
        />
        <FormError text={problem} />
        <Buttons busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

function Buttons({ busy, onClose }: { busy: boolean; onClose: () => void }) {
  const t = useTexts("device");
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        {t("common.cancel")}
      </Button>
      <Button type="submit" loading={busy}>
        {t("device.register.submit")}
      </Button>
    </Group>
  );
}
