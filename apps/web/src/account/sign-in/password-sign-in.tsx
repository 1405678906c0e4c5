import { Anchor, Button, Checkbox, Group, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import { screens } from "@arcada/contract/screens";
import { useTexts } from "../../i18n/texts.ts";
import { AccountField, isPhoneNumber } from "../fields/account-field.tsx";
import { handOffAccount } from "../../session/carry-values-across-sign-in.ts";
import { CodeField } from "../fields/code-field.tsx";
import { HumanCheck } from "../human-check/human-check.tsx";
import { getRequiredWork } from "../human-check/proof-of-work.ts";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";
import type { AccountInput, SignInMethodProps } from "./sign-in-method-props.ts";
import { ReasonNotice } from "./sign-in-failure-notice.tsx";

export function PasswordSignIn({
  who,
  setWho,
  done,
  onSecondStep,
  disabled,
  password,
}: SignInMethodProps & { password: string }) {
  const t = useTexts("account");
  const { form, asked: requiredChecks } = usePasswordLogin({ ...who, password }, done, onSecondStep);
  const change = (values: Partial<AccountInput>) => {
    setWho(values);
    form.set(values);
    if (values.account !== undefined) form.forget();
  };
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("account.byPassword")}>
      <Stack gap="md">
        <AccountField
          autoComplete="username webauthn"
          account={form.values.account}
          countryCode={form.values.countryCode}
          set={change}
          error={form.error("account")}
          disabled={disabled}
        />
        <PasswordInput
          name="password"
          label={t("account.password")}
          placeholder={t("account.passwordHint")}
          autoComplete="current-password"
          size="md"
          value={form.values.password}
          onChange={(event) => form.set({ password: event.currentTarget.value })}
          error={form.error("password")}
          disabled={disabled}
          visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
        />
        {requiredChecks.code && (
          <CodeField
            account={form.values.account}
            countryCode={form.values.countryCode}
            purpose="login"
            code={form.values.code}
            set={form.set}
            error={form.error("code")}
            onProblem={() => {}}
            disabled={disabled}
          />
        )}
        {requiredChecks.human && (
          <HumanCheck human={form.values.human} work={requiredChecks.work} onSolved={(human) => form.set({ human })} />
        )}
        <ReasonNotice {...form} account={form.values.account} isHumanCheckDone={!!form.values.human} />
        <RememberAndForgot
          remember={form.values.remember}
          onRemember={(remember) => change({ remember })}
          account={form.values.account}
          disabled={disabled}
        />
        <Button type="submit" size="md" fullWidth loading={form.busy} disabled={disabled}>
          {t("account.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

function usePasswordLogin(
  start: AccountInput & { password: string },
  done: SignInMethodProps["done"],
  onSecondStep: SignInMethodProps["onSecondStep"],
) {
  // Shown on the server's request: after failed attempts, or on an unknown device.
  const [requiredChecks, setRequiredChecks] = useState({ human: false, work: 0, code: false });
  const form = useLightCallForm(signInCalls.login, {
    defaults: { ...start, code: "", human: undefined as string | undefined },
    input: ({ account, countryCode, password: typed, remember, code, human }) => ({
      account,
      ...(isPhoneNumber(account) && { countryCode }),
      password: typed,
      remember,
      ...(code && { code }),
      ...(human && { human }),
    }),
    done: ({ token }, { remember }) => done({ token, remember }),
    onRefused: (refused) => {
      if (refused.name === "humanNeeded")
        setRequiredChecks((now) => ({ ...now, human: true, work: getRequiredWork(refused) }));
      if (refused.name === "humanWrong") setRequiredChecks((now) => ({ ...now, human: true }));
      if (refused.name === "factorNeeded") onSecondStep(refused.details as FactorNeeded);
      if (refused.name === "codeNeeded") setRequiredChecks((now) => ({ ...now, code: true }));
      // A proof is valid once: after a rejection another is needed.
      form.set({ human: undefined });
    },
  });
  return { form, asked: requiredChecks };
}

interface RememberProps {
  remember: boolean;
  onRemember: (remember: boolean) => void;
  account: string;
  disabled: boolean;
}

function RememberAndForgot({ remember, onRemember, account, disabled }: RememberProps) {
  const t = useTexts("account");
  return (
    <Group justify="space-between">
      <Checkbox
        label={t("account.remember")}
        checked={remember}
        onChange={(event) => onRemember(event.currentTarget.checked)}
        disabled={disabled}
      />
      <Anchor href={screens.forgot.path} size="sm" onClick={() => handOffAccount(account)}>
        {t("account.forgot")}
      </Anchor>
    </Group>
  );
}
