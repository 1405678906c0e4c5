import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { passwordCalls } from "@arcada/contract/account/password.calls";
import { screens } from "@arcada/contract/screens";
import type { RefusalError } from "../../data/call-errors.ts";
import { translateFieldMessage } from "../../data/field-validation.ts";
import { useTexts } from "../../i18n/texts.ts";
import { AccountField, isPhoneNumber, getDefaultCountryCode } from "../fields/account-field.tsx";
import { readHandedOffAccount, handOffAccount } from "../../session/carry-values-across-sign-in.ts";
import { CodeField } from "../fields/code-field.tsx";
import { useCookieConsent } from "../cookies/cookie-consent.tsx";
import { SignInPage } from "./sign-in-page-layout.tsx";
import { HumanCheck } from "../human-check/human-check.tsx";
import { NewPasswordFields } from "../fields/new-password-fields.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { useFocusFirstField } from "../use-focus-first-field.ts";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";

export function ForgotPassword() {
  const t = useTexts("account");
  const { reason } = useCookieConsent();
  const [isReset, setReset] = useState(false);
  const signInLink = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isReset) signInLink.current?.focus();
  }, [isReset]);
  return (
    <SignInPage title={t("account.forgotTitle")}>
      <Stack gap="xl">
        <div>
          <Title order={1}>{t("account.forgotTitle")}</Title>
          <Text c="dimmed" mt={6}>
            {t("account.forgotText")}
          </Text>
        </div>
        {reason && <FormError text={t(`account.${reason}`)} kind="info" />}
        {isReset ? (
          <Alert
            color="teal"
            variant="light"
            icon={<IconCheck size={18} />}
            role="status"
            title={t("account.resetDone")}
          >
            {t("account.resetDoneText")}
          </Alert>
        ) : (
          <ResetForm done={() => setReset(true)} />
        )}
        <Anchor ref={signInLink} size="sm" fw={600} ta="center" href={screens.login.path}>
          {t("account.backToSignIn")}
        </Anchor>
      </Stack>
    </SignInPage>
  );
}

function ResetForm({ done }: { done: () => void }) {
  const t = useTexts("account");
  const { disabled } = useCookieConsent();
  const formRef = useFocusFirstField<HTMLFormElement>();
  const [sendFailure, setSendFailure] = useState<{ problem?: string; refused?: RefusalError }>({});
  const { form, isHumanAsked: isHumanCheckRequired } = useResetPassword(done);
  const { values, set, error } = form;
  const refused = sendFailure.refused ?? form.refused;
  const accountError =
    refused?.name === "accountUnknown"
      ? t("common.field.accountUnknown")
      : translateFieldMessage(t, sendFailure.problem);
  return (
    <form ref={formRef} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <AccountField
          account={values.account}
          countryCode={values.countryCode}
          set={(change) => {
            setSendFailure({});
            set(change);
          }}
          error={error("account") ?? accountError}
          disabled={disabled}
        />
        <CodeField
          account={values.account}
          countryCode={values.countryCode}
          purpose="reset"
          code={values.code}
          set={set}
          error={error("code")}
          onProblem={(problem) => setSendFailure({ problem })}
          onRefused={(refusal) => setSendFailure({ refused: refusal })}
          disabled={disabled}
        />
        <NewPasswordFields values={values} set={set} error={error} disabled={disabled} />
        {isHumanCheckRequired && <HumanCheck human={values.human} onSolved={(human) => set({ human })} />}
        <FormError text={sendFailure.refused?.show === "form" ? sendFailure.refused.msg : form.problem} />
        <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
          {t("account.resetPassword")}
        </Button>
      </Stack>
    </form>
  );
}

function useResetPassword(done: () => void) {
  const [isHumanCheckRequired, setHumanCheckRequired] = useState(false);
  const form = useLightCallForm(passwordCalls.resetPassword, {
    defaults: {
      account: readHandedOffAccount(),
      countryCode: getDefaultCountryCode(),
      code: "",
      password: "",
      confirm: "",
      human: undefined as string | undefined,
    },
    input: ({ countryCode, human, ...values }) => ({
      ...values,
      ...(isPhoneNumber(values.account) && { countryCode }),
      ...(human && { human }),
    }),
    done: (_, { account }) => {
      handOffAccount(account);
      done();
    },
    onRefused: (refused) => {
      if (refused.name === "humanNeeded" || refused.name === "humanWrong") setHumanCheckRequired(true);
      form.set({ human: undefined });
    },
  });
  return { form, isHumanAsked: isHumanCheckRequired };
}
