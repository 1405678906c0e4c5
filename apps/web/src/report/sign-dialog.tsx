import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { ask } from "../data/ask.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormError } from "../ui/form/form-error.tsx";

type Passkey = NonNullable<Input<typeof reportCalls.sign>["passkey"]>;
interface Values {
  licence: string;
  password: string;
  passkey: Passkey | null;
}

interface Props {
  report: Report;
  version: number;
  onClose: () => void;
}

/** Signs the saved `version` after the user has confirmed their identity by password or passkey. */
export function SignDialog({ report, version, onClose }: Props) {
  const t = useTexts("report");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("report.sign.title", { number: report.number })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <SignForm report={report} version={version} onClose={onClose} />
    </Modal>
  );
}

function useSignForm({ report, version, onClose }: Props) {
  const t = useTexts("report");
  return useCallForm<typeof reportCalls.sign, Values>(reportCalls.sign, {
    defaults: { licence: report.ownLicence ?? "", password: "", passkey: null },
    input: ({ licence, password, passkey }) => ({
      id: report.id,
      version,
      licence,
      ...(passkey ? { passkey } : { password }),
    }),
    onSuccess: () => {
      toast("success", t("report.sign.done"));
      onClose();
    },
  });
}

function SignForm(props: Props) {
  const t = useTexts("report", "account");
  const factors = useCall(factorCalls.list, {});
  const [cancelled, setCancelled] = useState(false);
  const { form, submit, busy, problem, error } = useSignForm(props);
  const signWithPasskey = async () => {
    setCancelled(false);
    const { requestPasskey: showPasskey } = await import("../browser/passkeys.ts");
    const shown = await showPasskey(await ask(factorCalls.proofOptions, {}));
    if (!shown) return setCancelled(true);
    form.setValue("passkey", shown);
    await submit();
    form.setValue("passkey", null);
  };
  const hasPasskey = (factors.data?.passkeys.length ?? 0) > 0;
  const hasPassword = factors.data?.hasPassword ?? true;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("report.sign.says")}</Text>
        <TextInput
          label={t("report.sign.licence")}
          required
          data-autofocus
          {...form.register("licence")}
          error={error("licence")}
        />
        {hasPassword && (
          <PasswordInput
            label={t("report.sign.password")}
            autoComplete="current-password"
            {...form.register("password")}
            error={error("password")}
            visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
          />
        )}
        <FormError text={cancelled ? t("report.sign.passkeyCancelled") : problem} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onClose}>
            {t("common.cancel")}
          </Button>
          {hasPasskey && <PasskeyButton isMain={!hasPassword} onClick={() => void signWithPasskey()} />}
          {hasPassword && (
            <Button type="submit" loading={busy}>
              {t("report.action.sign")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function PasskeyButton({ isMain, onClick }: { isMain: boolean; onClick: () => void }) {
  const t = useTexts("report");
  return (
    <Button
      variant={isMain ? "filled" : "default"}
      leftSection={<IconFingerprint size={16} stroke={1.6} aria-hidden />}
      onClick={onClick}
    >
      {t("report.sign.passkey")}
    </Button>
  );
}
