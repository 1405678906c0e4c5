import { Button, Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import type { RefusalError } from "../../data/call-errors.ts";
import { translateFieldMessage } from "../../data/field-validation.ts";
import { useTexts } from "../../i18n/texts.ts";
import { AccountField, isPhoneNumber } from "../fields/account-field.tsx";
import { CodeField } from "../fields/code-field.tsx";
import { HumanCheck } from "../human-check/human-check.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";
import type { AccountInput, SignInMethodProps } from "./sign-in-method-props.ts";
import { ReasonNotice } from "./sign-in-failure-notice.tsx";

export function CodeSignIn({ who, setWho, done, onSecondStep, disabled }: SignInMethodProps) {
  const t = useTexts("account");
  const [sendFailure, setSendFailure] = useState<{ problem?: string; refused?: RefusalError }>({});
  const { form, isHumanAsked: isHumanCheckRequired } = useCodeLogin(who, done, onSecondStep);
  const change = (values: Partial<AccountInput>) => {
    setSendFailure({});
    setWho(values);
    form.set(values);
    if (values.account !== undefined) form.forget();
  };
  const refused = sendFailure.refused ?? form.refused;
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("account.byCode")}>
      <Stack gap="md">
        <AccountField
          autoComplete="username webauthn"
          account={form.values.account}
          countryCode={form.values.countryCode}
          set={change}
          error={form.error("account") ?? translateFieldMessage(t, sendFailure.problem)}
          disabled={disabled}
        />
        <CodeField
          account={form.values.account}
          countryCode={form.values.countryCode}
          purpose="login"
          code={form.values.code}
          set={form.set}
          error={form.error("code")}
          onProblem={(problem) => setSendFailure({ problem })}
          onRefused={(refusal) => setSendFailure({ refused: refusal })}
          disabled={disabled}
        />
        {isHumanCheckRequired && <HumanCheck human={form.values.human} onSolved={(human) => form.set({ human })} />}
        <ReasonNotice
          refused={refused}
          problem={sendFailure.refused?.show === "form" ? sendFailure.refused.msg : form.problem}
          account={form.values.account}
          isHumanCheckDone={form.values.human !== undefined}
        />
        <Checkbox
          label={t("account.remember")}
          checked={form.values.remember}
          onChange={(event) => change({ remember: event.currentTarget.checked })}
          disabled={disabled}
        />
        <Button type="submit" size="md" fullWidth loading={form.busy} disabled={disabled}>
          {t("account.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

function useCodeLogin(
  start: AccountInput,
  done: SignInMethodProps["done"],
  onSecondStep: SignInMethodProps["onSecondStep"],
) {
  const [isHumanCheckRequired, setHumanCheckRequired] = useState(false);
  const form = useLightCallForm(signInCalls.loginByCode, {
    defaults: { ...start, code: "", human: undefined as string | undefined },
    input: ({ account, countryCode, code, remember, human }) => ({
      account,
      ...(isPhoneNumber(account) && { countryCode }),
      code,
      remember,
      ...(human && { human }),
    }),
    done: ({ token }, { remember }) => done({ token, remember }),
    onRefused: (refusal) => {
      if (refusal.name === "factorNeeded") onSecondStep(refusal.details as FactorNeeded);
      if (refusal.name === "humanNeeded" || refusal.name === "humanWrong") setHumanCheckRequired(true);
      form.set({ human: undefined });
    },
  });
  return { form, isHumanAsked: isHumanCheckRequired };
}
