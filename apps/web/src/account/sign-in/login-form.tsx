import { Stack } from "@mantine/core";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import { pendingSecondFactor } from "../../session/pending-second-factor.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Choice } from "../../ui/form/choice-field.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { BusyState } from "../../ui/busy-state.tsx";
import { getDefaultCountryCode } from "../fields/account-field.tsx";
import { CodeSignIn } from "./code-sign-in.tsx";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { OtherSignInMethods } from "./other-sign-in-methods.tsx";
import type { SignInResult } from "./sign-in-method-props.ts";

const SecondSignInStep = lazy(async () => ({
  default: (await import("../factor/second-sign-in-step.tsx")).SecondSignInStep,
}));

interface Props {
  done: (entered: SignInResult) => void;
  /** Initial values: a demo account, or the user who was signed in before. */
  account?: string;
  password?: string;
  disabled?: boolean;
}

type SignInMethod = "password" | "code";

/** Signs in by password or by a code, then by a second factor if required. The input stays after a rejection. */
export function LoginForm({ done, account = "", password = "", disabled = false }: Props) {
  const t = useTexts("account");
  const [method, setMethod] = useState<SignInMethod>("password");
  const [who, setWho] = useState({ account, countryCode: getDefaultCountryCode(), remember: false });
  const [needed, setNeeded] = useState<FactorNeeded | null>(pendingSecondFactor.get());
  const [failureText, setFailureText] = useState<string>();
  const containerRef = useFocusFirstEmpty(needed === null);
  const form = {
    who,
    setWho: (change: Partial<typeof who>) => setWho((now) => ({ ...now, ...change })),
    done,
    onSecondStep: (factor: FactorNeeded) => {
      setFailureText(undefined);
      setNeeded(factor);
    },
    disabled,
  };
  const goBack = (reason?: string) => {
    pendingSecondFactor.set(null);
    setNeeded(null);
    setFailureText(reason);
  };
  return (
    <>
      {needed && (
        <Suspense fallback={<BusyState />}>
          <SecondSignInStep needed={needed} done={(token) => done({ token, remember: who.remember })} onBack={goBack} />
        </Suspense>
      )}
      <div ref={containerRef} hidden={needed !== null}>
        <Stack gap="lg">
          <Choice
            label={t("account.wayToSignIn")}
            value={method}
            onChange={setMethod}
            options={[
              { value: "password", label: t("account.byPassword") },
              { value: "code", label: t("account.byCode") },
            ]}
          />
          <FormError text={failureText} />
          {method === "password" ? <PasswordSignIn {...form} password={password} /> : <CodeSignIn {...form} />}
          <OtherSignInMethods remember={who.remember} disabled={disabled} done={done} />
        </Stack>
      </div>
    </>
  );
}

/** Focuses the first empty field, so that the user can type at once, also after returning from the second step. */
function useFocusFirstEmpty(isShown: boolean) {
  const containerRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fields = [
      ...(containerRef.current?.querySelectorAll<HTMLInputElement>("input[name=account], input[name=password]") ?? []),
    ];
    if (isShown) (fields.find(({ value }) => value === "") ?? fields.at(-1))?.focus();
  }, [isShown]);
  return containerRef;
}
