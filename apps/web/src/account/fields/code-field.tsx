import { Button, Group, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { signInCalls, type codePurposes } from "@arcada/contract/account/sign-in.calls";
import { accountProblem, accountRules } from "@arcada/contract/account/account.rules";
import { send } from "../../data/ask.ts";
import { useCountdown } from "../use-countdown.ts";
import { captureFocus } from "../../browser/focus-restoration.ts";
import { isRefused } from "../../data/call-errors.ts";
import type { RefusalError } from "../../data/call-errors.ts";
import { showError } from "../../data/show-error.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { solveProofOfWork, getRequiredWork } from "../human-check/proof-of-work.ts";
import classes from "./account.module.css";

interface Props {
  account: string;
  countryCode: string;
  purpose: (typeof codePurposes)[number];
  code: string;
  set: (change: { code: string }) => void;
  error: string | undefined;
  /** Called with the problem that must be corrected before a code can be sent. It is shown beside the account. */
  onProblem: (problem: string) => void;
  onRefused?: (refused: RefusalError) => void;
  disabled?: boolean;
  /** True for the field that gets the focus when its dialog opens. */
  isFirst?: boolean;
}

/**
 * The field for the code, and the button that sends it: a human check first, then a countdown until the next may be
 * sent.
 */
export function CodeField({ code, set, error, disabled = false, isFirst = false, ...sendOptions }: Props) {
  const t = useTexts("account");
  // Each destination has its own waiting time of one minute, on the server too.
  const field = useRef<HTMLInputElement>(null);
  const name = `code.${sendOptions.purpose}.${hashAccount(sendOptions.account)}`;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        ref={field}
        className={classes.grow}
        name="code"
        label={t("account.code")}
        placeholder={t("account.codeHint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={accountRules.crowdedDigits}
        size="md"
        value={code}
        onChange={(event) => set({ code: event.currentTarget.value.replace(/\D/g, "") })}
        error={error}
        disabled={disabled}
        data-autofocus={isFirst || undefined}
      />
      <SendButton key={name} name={name} disabled={disabled} onSent={() => field.current?.focus()} {...sendOptions} />
    </Group>
  );
}

interface SendButtonProps extends SendOptions {
  name: string;
  disabled: boolean;
  /** Called when the code was sent. The button is disabled then, so the focus moves to the field. */
  onSent: () => void;
}

function SendButton({ name, disabled, onSent, ...sendOptions }: SendButtonProps) {
  const t = useTexts("account");
  const { wait, step, sendCode } = useSendCode(name, sendOptions, onSent);
  const waiting = wait > 0 ? t("account.resendIn", { seconds: wait }) : t("account.getCode");
  return (
    <Button
      className={classes.besideField}
      variant="light"
      size="md"
      onClick={() => void sendCode()}
      disabled={disabled || wait > 0 || step !== "idle"}
    >
      {step === "idle" ? waiting : t(`account.${step}`)}
    </Button>
  );
}

/** A hash (FNV-1a) that identifies an account without storing it in plain text. */
function hashAccount(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text.trim()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

type SendOptions = Pick<Props, "account" | "countryCode" | "purpose" | "onProblem" | "onRefused">;

function useSendCode(
  name: string,
  { account, countryCode, purpose, onProblem, onRefused }: SendOptions,
  onSent: () => void,
) {
  const t = useTexts("account");
  const [wait, setWait] = useCountdown(name);
  const [step, setStep] = useState<"idle" | "checking" | "sending">("idle");
  const restoreFocus = useRef(() => {});
  useEffect(() => {
    if (step === "idle") restoreFocus.current();
  }, [step]);

  const sendCode = async () => {
    const problem = accountProblem(account);
    if (problem) return onProblem(problem);
    try {
      restoreFocus.current = captureFocus();
      setStep("checking");
      const sendWith = async (human: string) => {
        setStep("sending");
        return send(signInCalls.sendCode, { account, countryCode, purpose, human });
      };
      const { resendAfter } = await sendWith(await solveProofOfWork()).catch(async (failure: unknown) => {
        if (!isRefused(failure, "humanNeeded") || getRequiredWork(failure) === 0) throw failure;
        setStep("checking");
        toast("info", t("account.checkingLong"));
        return sendWith(await solveProofOfWork(getRequiredWork(failure)));
      });
      setWait(resendAfter);
      onSent();
      toast("success", t("account.codeSent"));
    } catch (failure) {
      if (isRefused(failure, "codeTooSoon"))
        setWait(Number((failure.details as { seconds?: string } | null)?.seconds) || 60);
      if (isRefused(failure) && failure.show !== "toast") onRefused?.(failure);
      showError(failure, onRefused && "form");
    } finally {
      setStep("idle");
    }
  };
  return { wait, step, sendCode };
}
