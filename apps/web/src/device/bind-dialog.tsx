import { List, Stack, Text, TextInput } from "@mantine/core";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { SecretDialog } from "../ui/create-secret-dialog.tsx";

/**
 * Binds a device: asks for the data on the device and its card, then shows the device's key once, with instructions.
 */
export function BindDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts("device");
  return (
    <SecretDialog
      title={t("device.bind.title")}
      onClose={onClose}
      reveal={{
        title: t("device.bind.keyTitle"),
        text: t("device.bind.keyText"),
        label: t("device.bind.key"),
        children: <KeyInstructions />,
      }}
    >
      {(made) => <Form onClose={onClose} onBound={made} />}
    </SecretDialog>
  );
}

function KeyInstructions() {
  const t = useTexts("device");
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t("device.bind.howTitle")}
      </Text>
      <List size="sm" spacing={6}>
        <List.Item>
          {t("device.bind.howWeb")}
          <div dir="ltr">
            <CopyText text={`${location.origin}/dicomweb`} label={t("device.bind.copyAddress")} />
          </div>
        </List.Item>
        <List.Item>{t("device.bind.howDicom")}</List.Item>
      </List>
    </Stack>
  );
}

function Form({ onClose, onBound }: { onClose: () => void; onBound: (key: string) => void }) {
  const t = useTexts("device");
  const { form, submit, busy, problem, error } = useCallForm(deviceCalls.bind, {
    defaults: { serialNumber: "", activationCode: "", name: "" },
    onSuccess: ({ key }) => onBound(key),
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("device.serialNumber")}
          description={t("device.bind.serialText")}
          required
          data-autofocus
          autoComplete="off"
          maxLength={deviceRules.maxTextLength.serialNumber}
          {...form.register("serialNumber")}
          error={error("serialNumber")}
        />
        <TextInput
          label={t("device.activationCode")}
          description={t("device.bind.codeText")}
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
          maxLength={60}
          {...form.register("activationCode")}
          error={error("activationCode")}
        />
        <TextInput
          label={t("device.name")}
          description={t("device.bind.nameText")}
          required
          autoComplete="off"
          maxLength={deviceRules.maxTextLength.name}
          {...form.register("name")}
          error={error("name")}
        />
        <FormFooter problem={problem} submitLabel={t("device.bind.submit")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}
