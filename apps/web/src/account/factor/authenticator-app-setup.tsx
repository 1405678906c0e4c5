import { Modal, Stack, Text, TextInput } from "@mantine/core";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { FormFooter } from "../../ui/form/form-footer.tsx";
import classes from "./factor.module.css";

interface Props {
  secret: string;
  uri: string;
  done: (recovery: string[]) => void;
  onClose: () => void;
}

/** The secret for an authenticator app, and the field for its first code. */
export function AuthenticatorAppSetup({ secret, uri, done, onClose }: Props) {
  const t = useTexts("factor");
  const { form, submit, busy, problem, error } = useCallForm<typeof factorCalls.totpConfirm, { code: string }>(
    factorCalls.totpConfirm,
    { defaults: { code: "" }, onSuccess: ({ recovery }) => done(recovery) },
  );
  return (
    <Modal opened onClose={onClose} title={t("factor.appTitle")} closeButtonProps={{ "aria-label": t("common.close") }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm">{t("factor.appScan")}</Text>
          <QrCode text={uri} label={t("factor.qr")} />
          <div>
            <Text size="sm">{t("factor.appType")}</Text>
            <div className={classes.key}>
              <CopyText text={secret} />
            </div>
          </div>
          <TextInput
            label={t("factor.appCode")}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            data-autofocus
            {...form.register("code")}
            error={error("code")}
          />
          <FormFooter problem={problem} submitLabel={t("common.confirm")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
