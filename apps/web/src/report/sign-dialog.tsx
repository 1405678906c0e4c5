import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { IconCertificate, IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { isManagerRole } from "@arcada/contract/member/member.lifecycle";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { ScreenLink } from "../browser/navigation.tsx";
import { ask } from "../data/ask.ts";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormError } from "../ui/form/form-error.tsx";

type Passkey = NonNullable<Input<typeof reportCalls.sign>["passkey"]>;
interface Values {
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
      {report.ownLicence === null ? (
        <LicenceNeeded onClose={onClose} />
      ) : (
        <SignForm report={report} version={version} onClose={onClose} />
      )}
    </Modal>
  );
}

/** Managers keep the licence numbers: says which of them to ask, or where to enter one's own. */
function LicenceNeeded({ onClose }: { onClose: () => void }) {
  const t = useTexts("report");
  const mayEnter = useCanAccess(memberCalls.setLicence);
  const { data } = useCall(memberCalls.list, { part: "members", pageSize: pageSizes.max }, { enabled: !mayEnter });
  const managers = (data?.list ?? []).filter(({ authorityId }) => isManagerRole(authorityId)).map(({ name }) => name);
  return (
    <Stack gap="md">
      <Alert variant="light" color="yellow" icon={<IconCertificate size={18} />}>
        {t(mayEnter ? "report.sign.licenceOwn" : "report.sign.licenceAsk", { names: managers.join(", ") })}
      </Alert>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.close")}
        </Button>
        {mayEnter && (
          <Button component={ScreenLink} screen="member">
            {t("report.sign.licenceOpen")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function useSignForm({ report, version, onClose }: Props) {
  const t = useTexts("report");
  return useCallForm<typeof reportCalls.sign, Values>(reportCalls.sign, {
    defaults: { password: "", passkey: null },
    input: ({ password, passkey }) => ({
      id: report.id,
      version,
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
        <Text size="sm">
          <Text component="span" size="sm" c="dimmed">
            {t("report.sign.licence")}
          </Text>{" "}
          <Text component="span" size="sm" fw={600} className="arcada-figures">
            {props.report.ownLicence}
          </Text>
        </Text>
        {hasPassword && (
          <PasswordInput
            label={t("report.sign.password")}
            autoComplete="current-password"
            data-autofocus
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
