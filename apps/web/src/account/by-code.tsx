import { Button, Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { AccountField, isNumber } from "./account-field.tsx";
import { CodeField } from "./code-field.tsx";
import { useFields } from "./use-fields.ts";
import type { Who, WayProps } from "./way.ts";
import { Why } from "./why.tsx";

export function ByCode({ who, setWho, done, disabled }: WayProps) {
  const t = useTexts("account");
  const [unsent, setUnsent] = useState<{ problem?: string; refused?: RefusedAnswer }>({});
  const form = useFields(accountCalls.loginByCode, {
    start: { ...who, code: "" },
    input: ({ account, countryCode, code, remember }) => ({
      account,
      ...(isNumber(account) && { countryCode }),
      code,
      remember,
    }),
    done: ({ token }, { remember }) => done({ token, remember }),
  });
  const change = (values: Partial<Who>) => {
    setUnsent({});
    setWho(values);
    form.set(values);
  };
  const refused = unsent.refused ?? form.refused;
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("account.byCode")}>
      <Stack gap="md">
        <AccountField
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
        <Why
          refused={refused}
          problem={unsent.refused?.show === "form" ? unsent.refused.msg : form.problem}
          account={form.values.account}
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
