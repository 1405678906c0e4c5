import { Button, Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { AccountField, isNumber } from "./account-field.tsx";
import { CodeField } from "./code-field.tsx";
import { HumanCheck } from "./human-check.tsx";
import { useFields } from "./use-fields.ts";
import type { Who, WayProps } from "./way.ts";
import { Why } from "./why.tsx";

export function ByCode({ who, setWho, done, onSecondStep, disabled }: WayProps) {
  const t = useTexts("account");
  const [unsent, setUnsent] = useState<{ problem?: string; refused?: RefusedAnswer }>({});
  const { form, isHumanAsked } = useCodeLogin(who, done, onSecondStep);
  const change = (values: Partial<Who>) => {
    setUnsent({});
    setWho(values);
    form.set(values);
    if (values.account !== undefined) form.forget();
  };
  const refused = unsent.refused ?? form.refused;
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("account.byCode")}>
      <Stack gap="md">
        <AccountField
          autoComplete="username webauthn"
          account={form.values.account}
          countryCode={form.values.countryCode}
          set={change}
          error={form.error("account") ?? (unsent.problem && t(`common.field.${unsent.problem}`))}
          disabled={disabled}
        />
        <CodeField
          account={form.values.account}
          countryCode={form.values.countryCode}
          purpose="login"
          code={form.values.code}
          set={form.set}
          error={form.error("code")}
          onProblem={(problem) => setUnsent({ problem })}
          onRefused={(no) => setUnsent({ refused: no })}
          disabled={disabled}
        />
        {isHumanAsked && <HumanCheck human={form.values.human} onSolved={(human) => form.set({ human })} />}
        <Why
          refused={refused}
          problem={unsent.refused?.show === "form" ? unsent.refused.msg : form.problem}
          account={form.values.account}
          isHuman={form.values.human !== undefined}
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

function useCodeLogin(start: Who, done: WayProps["done"], onSecondStep: WayProps["onSecondStep"]) {
  const [isHumanAsked, setHumanAsked] = useState(false);
  const form = useFields(accountCalls.loginByCode, {
    start: { ...start, code: "", human: undefined as string | undefined },
    input: ({ account, countryCode, code, remember, human }) => ({
      account,
      ...(isNumber(account) && { countryCode }),
      code,
      remember,
      ...(human && { human }),
    }),
    done: ({ token }, { remember }) => done({ token, remember }),
    heard: (no) => {
      if (no.name === "factorNeeded") onSecondStep(no.details as FactorNeeded);
      if (no.name === "humanNeeded" || no.name === "humanWrong") setHumanAsked(true);
      form.set({ human: undefined });
    },
  });
  return { form, isHumanAsked };
}
