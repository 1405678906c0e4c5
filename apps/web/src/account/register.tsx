import "../ui/mantine-more.css";
import { Anchor, Button, Stack, Stepper, Text, Title } from "@mantine/core";
import { useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { screens } from "@arcada/contract/screens";
import { ownPath } from "../kernel/entry.ts";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { sayNext } from "../kernel/said.ts";
import { enter } from "../kernel/sign-in.ts";
import { useTexts } from "../kernel/texts.ts";
import { Taken } from "./taken.tsx";
import { AccountField, isNumber, usualCountryCode } from "./account-field.tsx";
import { carriedAccount, carryAccount } from "../kernel/carried.ts";
import { CodeField } from "./code-field.tsx";
import { useConsent } from "./consent.tsx";
import { Door } from "./door.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { useFirstFocus } from "../kernel/use-first-focus.ts";
import { RegisterDetails } from "./register-details.tsx";
import { useFields } from "./use-fields.ts";

interface Verified {
  ticket: string;
  account: string;
}

/** Two steps: the phone number or e-mail address, then password and role. Going back keeps the input. */
export function Register() {
  const t = useTexts("account");
  const { disabled, why } = useConsent();
  const [verified, setVerified] = useState<Verified | null>(null);
  return (
    <Door title={t("account.registerTitle")}>
      <Stack gap="xl">
        <div>
          <Title order={1}>{t("account.registerTitle")}</Title>
          <Text c="dimmed" mt={6}>
            {t("account.registerText")}
          </Text>
        </div>
        {why && <FormProblem text={t(`account.${why}`)} kind="info" />}
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
              enter(token, false);
              carryAccount("");
              sayNext("common.said.registered");
              location.assign(ownPath(new URLSearchParams(location.search).get("redirect"), location.origin));
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
    </Door>
  );
}

function VerifyAccount({ done, disabled }: { done: (verified: Verified) => void; disabled: boolean }) {
  const t = useTexts("account");
  const place = useFirstFocus<HTMLFormElement>();
  const [unsent, setUnsent] = useState<{ problem?: string; refused?: RefusedAnswer }>({});
  const [isTaken, setTaken] = useState(false);
  const form = useFields(accountCalls.registerVerify, {
    start: { account: carriedAccount(), countryCode: usualCountryCode(), code: "" },
    input: ({ account, countryCode, code }) => ({ account, ...(isNumber(account) && { countryCode }), code }),
    done: ({ ticket, registered }, { account }) => {
      carryAccount(account);
      if (registered) setTaken(true);
      else done({ ticket, account });
    },
  });
  const problem = unsent.refused?.show === "form" ? unsent.refused.msg : form.problem;
  return (
    <form ref={place} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <AccountField
          account={form.values.account}
          countryCode={form.values.countryCode}
          set={(change) => {
            setUnsent({});
            setTaken(false);
            // Keep the account over a reload, and on the way to the sign-in and back.
            if (change.account !== undefined) carryAccount(change.account);
            form.set(change);
          }}
          error={form.error("account") ?? (unsent.problem && t(`common.field.${unsent.problem}`))}
          disabled={disabled}
        />
        <CodeField
          account={form.values.account}
          countryCode={form.values.countryCode}
          purpose="register"
          code={form.values.code}
          set={form.set}
          error={form.error("code")}
          onProblem={(found) => setUnsent({ problem: found })}
          onRefused={(no) => setUnsent({ refused: no })}
          disabled={disabled}
        />
        {isTaken || unsent.refused?.name === "accountTaken" ? (
          <Taken account={form.values.account} />
        ) : (
          <FormProblem text={problem} />
        )}
        <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
          {t("common.next")}
        </Button>
      </Stack>
    </form>
  );
}
