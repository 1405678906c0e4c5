import { IconInfoCircle } from "@tabler/icons-react";
import "../../ui/mantine-more.css";
import { Anchor, Button, Stack, Stepper, Text, Title, Alert } from "@mantine/core";
import { useState } from "react";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { screens } from "@arcada/contract/screens";
import { toSafePath } from "../../session/screen-redirects.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { translateFieldMessage } from "../../data/field-validation.ts";
import { setFlashMessage } from "../../session/flash-message.ts";
import { startSession } from "../../browser/session-lifecycle.ts";
import { useTexts } from "../../i18n/texts.ts";
import { AccountField, isPhoneNumber, getDefaultCountryCode } from "../fields/account-field.tsx";
import { readHandedOffAccount, handOffAccount } from "../../session/carry-values-across-sign-in.ts";
import { CodeField } from "../fields/code-field.tsx";
import { useCookieConsent } from "../cookies/cookie-consent.tsx";
import { SignInPage } from "../sign-in/sign-in-page-layout.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { useFocusFirstField } from "../use-focus-first-field.ts";
import { RegisterDetails } from "./register-details.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";

interface Verified {
  ticket: string;
  account: string;
}

/** Two steps: the phone number or e-mail address, then password and role. Going back keeps the input. */
export function Register() {
  const t = useTexts("account");
  const { disabled, reason } = useCookieConsent();
  const [verified, setVerified] = useState<Verified | null>(null);
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
        <Stepper
          active={verified ? 1 : 0}
          size="sm"
          allowNextStepsSelect={false}
          aria-label={t("account.registerTitle")}
        >
          <Stepper.Step label={t("account.stepAccount")} />
          <Stepper.Step label={t("account.stepDetails")} />
        </Stepper>
        {verified ? (
          <RegisterDetails
            {...verified}
            disabled={disabled}
            onBack={() => setVerified(null)}
            done={(token) => {
              startSession(token, false);
              handOffAccount("");
              setFlashMessage("common.said.registered");
              location.assign(toSafePath(new URLSearchParams(location.search).get("redirect"), location.origin));
            }}
          />
        ) : (
          <VerifyAccount disabled={disabled} done={setVerified} />
        )}
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

function VerifyAccount({ done, disabled }: { done: (verified: Verified) => void; disabled: boolean }) {
  const t = useTexts("account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const [sendFailure, setSendFailure] = useState<{ problem?: string; refused?: RefusalError }>({});
  const [isTaken, setTaken] = useState(false);
  const form = useLightCallForm(registrationCalls.registerVerify, {
    defaults: { account: readHandedOffAccount(), countryCode: getDefaultCountryCode(), code: "" },
    input: ({ account, countryCode, code }) => ({ account, ...(isPhoneNumber(account) && { countryCode }), code }),
    done: ({ ticket, registered }, { account }) => {
      handOffAccount(account);
      if (registered) setTaken(true);
      else done({ ticket, account });
    },
  });
  const problem = sendFailure.refused?.show === "form" ? sendFailure.refused.msg : form.problem;
  return (
    <form ref={formRef} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <AccountField
          account={form.values.account}
          countryCode={form.values.countryCode}
          set={(change) => {
            setSendFailure({});
            setTaken(false);
            // Keep the account over a reload, and on the way to the sign-in and back.
            if (change.account !== undefined) handOffAccount(change.account);
            form.set(change);
          }}
          error={form.error("account") ?? translateFieldMessage(t, sendFailure.problem)}
          disabled={disabled}
        />
        <CodeField
          account={form.values.account}
          countryCode={form.values.countryCode}
          purpose="register"
          code={form.values.code}
          set={form.set}
          error={form.error("code")}
          onProblem={(found) => setSendFailure({ problem: found })}
          onRefused={(refusal) => setSendFailure({ refused: refusal })}
          disabled={disabled}
        />
        {isTaken || sendFailure.refused?.name === "accountTaken" ? (
          <AccountTakenNotice account={form.values.account} />
        ) : (
          <FormError text={problem} />
        )}
        <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
          {t("common.next")}
        </Button>
      </Stack>
    </form>
  );
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
