import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { screens } from "@arcada/contract/screens";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { AccountField, isNumber, usualCountryCode } from "./account-field.tsx";
import { carriedAccount, carryAccount } from "../kernel/carried.ts";
import { CodeField } from "./code-field.tsx";
import { useConsent } from "./consent.tsx";
import { Door } from "./door.tsx";
import { HumanCheck } from "./human-check.tsx";
import { NewPassword } from "./new-password.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { useFirstFocus } from "../kernel/use-first-focus.ts";
import { useFields } from "./use-fields.ts";

export function Forgot() {
  const t = useTexts("account");
  const { why } = useConsent();
  const [isReset, setReset] = useState(false);
  const onward = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isReset) onward.current?.focus();
  }, [isReset]);
  return (
    <Door title={t("account.forgotTitle")}>
      <Stack gap="xl">
        <div>
          <Title order={1}>{t("account.forgotTitle")}</Title>
          <Text c="dimmed" mt={6}>
            {t("account.forgotText")}
          </Text>
        </div>
        {why && <FormProblem text={t(`account.${why}`)} kind="info" />}
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
        <Anchor ref={onward} size="sm" fw={600} ta="center" href={screens.login.path}>
          {t("account.backToSignIn")}
        </Anchor>
      </Stack>
    </Door>
  );
}

function ResetForm({ done }: { done: () => void }) {
  const t = useTexts("account");
  const { disabled } = useConsent();
  const place = useFirstFocus<HTMLFormElement>();
  const [unsent, setUnsent] = useState<{ problem?: string; refused?: RefusedAnswer }>({});
  const { form, isHumanAsked } = useReset(done);
  const { values, set, error } = form;
  const refused = unsent.refused ?? form.refused;
  const accountError =
    refused?.name === "accountUnknown"
      ? t("common.field.accountUnknown")
      : unsent.problem && t(`common.field.${unsent.problem}`);
  return (
    <form ref={place} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <AccountField
          account={values.account}
          countryCode={values.countryCode}
          set={(change) => {
            setUnsent({});
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
          onProblem={(problem) => setUnsent({ problem })}
          onRefused={(no) => setUnsent({ refused: no })}
          disabled={disabled}
        />
        <NewPassword values={values} set={set} error={error} disabled={disabled} />
        {isHumanAsked && <HumanCheck human={values.human} onSolved={(human) => set({ human })} />}
        <FormProblem text={unsent.refused?.show === "form" ? unsent.refused.msg : form.problem} />
        <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
          {t("account.resetPassword")}
        </Button>
      </Stack>
    </form>
  );
}

function useReset(done: () => void) {
  const [isHumanAsked, setHumanAsked] = useState(false);
  const form = useFields(accountCalls.resetPassword, {
    start: {
      account: carriedAccount(),
      countryCode: usualCountryCode(),
      code: "",
      password: "",
      confirm: "",
      human: undefined as string | undefined,
    },
    input: ({ countryCode, human, ...values }) => ({
      ...values,
      ...(isNumber(values.account) && { countryCode }),
      ...(human && { human }),
    }),
    done: (_, { account }) => {
      carryAccount(account);
      done();
    },
    heard: (refused) => {
      if (refused.name === "humanNeeded" || refused.name === "humanWrong") setHumanAsked(true);
      form.set({ human: undefined });
    },
  });
  return { form, isHumanAsked };
}
