import { IconInfoCircle } from "@tabler/icons-react";
import "../../ui/mantine-more.css";
import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { screens } from "@arcada/contract/screens";
import { toSafePath } from "../../session/screen-redirects.ts";
import { setFlashMessage } from "../../session/flash-message.ts";
import { startSession } from "../../browser/session-lifecycle.ts";
import { useTexts } from "../../i18n/texts.ts";
import { translateFieldMessage } from "../../data/field-validation.ts";
import { AccountField } from "../fields/account-field.tsx";
import { handOffAccount } from "../../session/carry-values-across-sign-in.ts";
import { CodeField } from "../fields/code-field.tsx";
import { useCookieConsent } from "../cookies/cookie-consent.tsx";
import { SignInPage } from "../sign-in/sign-in-page-layout.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { useFocusFirstField } from "../use-focus-first-field.ts";
import { LegalAgreement } from "../legal/legal-agreement.tsx";
import { NewPasswordFields } from "../fields/new-password-fields.tsx";
import { PersonFields } from "./person-fields.tsx";
import { useRegistration } from "./use-registration.ts";

/** One form with everything that an account needs. What was typed outlives a reload, except the passwords. */
export function Register() {
  const t = useTexts("account");
  const { disabled, reason } = useCookieConsent();
  return (
    <SignInPage title={t("account.registerTitle")}>
      <Stack gap="xl">
        <div>
          <Title order={1}>{t("account.registerTitle")}</Title>
          <Text c="dimmed" mt={6}>
            {t("account.registerText")}
          </Text>
        </div>
        {reason && <FormError text={t(`account.${reason}`)} kind="info" />}
        <RegistrationForm disabled={disabled} />
        <Text size="sm" c="dimmed" ta="center">
          {t("account.haveAccount")}{" "}
          <Anchor fw={600} href={screens.login.path + location.search}>
            {t("account.signIn")}
          </Anchor>
        </Text>
      </Stack>
    </SignInPage>
  );
}

function RegistrationForm({ disabled }: { disabled: boolean }) {
  const t = useTexts("account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const { form, set, isTaken, sendFailure, setSendFailure } = useRegistration(continueSignedIn);
  const { values, error } = form;
  return (
    <form ref={formRef} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <AccountField
          account={values.account}
          countryCode={values.countryCode}
          set={set}
          error={error("account") ?? translateFieldMessage(t, sendFailure.problem)}
          disabled={disabled}
        />
        <CodeField
          account={values.account}
          countryCode={values.countryCode}
          purpose="register"
          code={values.code}
          set={set}
          error={error("code")}
          onProblem={(problem) => setSendFailure({ problem })}
          onRefused={(refused) => setSendFailure({ refused })}
          disabled={disabled}
        />
        {isTaken && <AccountTakenNotice account={values.account} />}
        <PersonFields values={values} set={set} error={error} disabled={disabled} />
        <NewPasswordFields values={values} set={set} error={error} disabled={disabled} />
        <LegalAgreement checked={values.agree} onChange={(agree) => set({ agree })} error={error("agree")} />
        {!isTaken && (
          <FormError text={(sendFailure.refused?.show === "form" && sendFailure.refused.msg) || form.problem} />
        )}
        <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
          {t("account.register")}
        </Button>
      </Stack>
    </form>
  );
}

function continueSignedIn(token: string): void {
  startSession(token, false);
  handOffAccount("");
  setFlashMessage("common.said.registered");
  location.assign(toSafePath(new URLSearchParams(location.search).get("redirect"), location.origin));
}

/** A user who registers an existing account gets a link to the sign-in, which keeps what they typed. */
function AccountTakenNotice({ account }: { account: string }) {
  const t = useTexts("account");
  return (
    <Alert
      variant="light"
      color="yellow"
      role="alert"
      icon={<IconInfoCircle size={18} />}
      title={t("common.field.accountTaken")}
    >
      <Anchor href={screens.login.path} onClick={() => handOffAccount(account)}>
        {t("account.signInWith", { label: account })}
      </Anchor>
    </Alert>
  );
}
