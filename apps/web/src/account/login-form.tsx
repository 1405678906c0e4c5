import { Stack } from "@mantine/core";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";
import { waitingStep } from "../kernel/second-step.ts";
import { useTexts } from "../kernel/texts.ts";
import { Choice } from "../ui/choice.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { BusyState } from "../ui/busy-state.tsx";
import { usualCountryCode } from "./account-field.tsx";
import { ByCode } from "./by-code.tsx";
import { ByPassword } from "./by-password.tsx";
import { OtherWays } from "./other-ways.tsx";
import type { Entered } from "./way.ts";

const SecondStep = lazy(async () => ({ default: (await import("./factor/second-step.tsx")).SecondStep }));

interface Props {
  done: (entered: Entered) => void;
  /** Initial values: a demo account, or the user who was signed in before. */
  account?: string;
  password?: string;
  disabled?: boolean;
}

type Way = "password" | "code";

/** Signs in by password or by a code, then by a second factor if required. The input stays after a rejection. */
export function LoginForm({ done, account = "", password = "", disabled = false }: Props) {
  const t = useTexts("account");
  const [way, setWay] = useState<Way>("password");
  const [who, setWho] = useState({ account, countryCode: usualCountryCode(), remember: false });
  const [needed, setNeeded] = useState<FactorNeeded | null>(waitingStep.get());
  const [why, setWhy] = useState<string>();
  const first = useFocusOnFirst(needed === null);
  const form = {
    who,
    setWho: (change: Partial<typeof who>) => setWho((now) => ({ ...now, ...change })),
    done,
    onSecondStep: (asked: FactorNeeded) => {
      setWhy(undefined);
      setNeeded(asked);
    },
    disabled,
  };
  const back = (reason?: string) => {
    waitingStep.set(null);
    setNeeded(null);
    setWhy(reason);
  };
  return (
    <>
      {needed && (
        <Suspense fallback={<BusyState />}>
          <SecondStep needed={needed} done={(token) => done({ token, remember: who.remember })} onBack={back} />
        </Suspense>
      )}
      <div ref={first} hidden={needed !== null}>
        <Stack gap="lg">
          <Choice
            label={t("account.wayToSignIn")}
            value={way}
            onChange={setWay}
            options={[
              { value: "password", label: t("account.byPassword") },
              { value: "code", label: t("account.byCode") },
            ]}
          />
          <FormProblem text={why} />
          {way === "password" ? <ByPassword {...form} password={password} /> : <ByCode {...form} />}
          <OtherWays remember={who.remember} disabled={disabled} done={done} />
        </Stack>
      </div>
    </>
  );
}

/** Focuses the first empty field, so that the user can type at once, also after returning from the second step. */
function useFocusOnFirst(isShown: boolean) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fields = [
      ...(place.current?.querySelectorAll<HTMLInputElement>("input[name=account], input[name=password]") ?? []),
    ];
    if (isShown) (fields.find(({ value }) => value === "") ?? fields.at(-1))?.focus();
  }, [isShown]);
  return place;
}
