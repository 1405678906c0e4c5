import { Anchor, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { secondStepCalls } from "@arcada/contract/factor/second-step.calls";
import type { FactorNeeded } from "@arcada/contract/factor/second-step.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { showError } from "../../data/show-error.ts";
import { loadTexts, useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";
import { supportsPasskeys } from "./passkey-support.ts";

interface Props {
  needed: FactorNeeded;
  done: (token: string) => void;
  /** Returns to the first form; with the reason if the server requires the input again. */
  onBack: (reason?: string) => void;
}
type CodeKind = "totp" | "recovery";

/** The second step of a sign-in. The form of the first step stays as it was. */
export function SecondSignInStep({ needed, done, onBack }: Props) {
  const t = useTexts("account", "factor");
  const accepts = (kind: FactorNeeded["factors"][number]) => needed.factors.includes(kind);
  const [codeKind, setCodeKind] = useState<CodeKind>(accepts("totp") ? "totp" : "recovery");
  const step = useSecondStep({ needed, done, onBack });
  const { form } = step;
  const other = codeKind === "totp" ? "recovery" : "totp";
  const withPasskey = accepts("passkey") && supportsPasskeys();
  const withCode = accepts("totp") || accepts("recovery");
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h3">
          {t("factor.stepTitle")}
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {t(withCode ? `factor.stepText.${codeKind}` : "factor.stepText.passkey")}
        </Text>
      </div>
      {withPasskey && (
        <Button
          size="md"
          fullWidth
          variant={withCode ? "light" : "filled"}
          leftSection={<IconFingerprint size={20} />}
          loading={step.asking}
          onClick={() => void step.showsPasskey()}
        >
          {t("factor.stepPasskey")}
        </Button>
      )}
      {withCode && <CodeForm codeKind={codeKind} form={form} />}
      <FormError text={form.problem} />
      <Group justify="space-between">
        <Anchor component="button" type="button" size="sm" onClick={() => onBack()}>
          {t("common.back")}
        </Anchor>
        {accepts(other) && withCode && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              setCodeKind(other);
              form.set({ code: "" });
            }}
          >
            {t(`factor.useInstead.${other}`)}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

function CodeForm({ codeKind, form }: { codeKind: CodeKind; form: ReturnType<typeof useSecondStep>["form"] }) {
  const t = useTexts("account", "factor");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [codeKind]);
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("factor.stepTitle")}>
      <Stack gap="md">
        <TextInput
          ref={field}
          name="code"
          label={t(`factor.code.${codeKind}`)}
          placeholder={t(`factor.hint.${codeKind}`)}
          inputMode={codeKind === "totp" ? "numeric" : "text"}
          autoComplete="one-time-code"
          maxLength={codeKind === "totp" ? factorRules.totpDigits : 20}
          size="md"
          value={form.values.code}
          onChange={(event) => form.set({ code: event.currentTarget.value })}
          error={form.error("code")}
        />
        <Button type="submit" size="md" fullWidth loading={form.busy}>
          {t("account.signIn")}
        </Button>
      </Stack>
    </form>
  );
}

function useSecondStep({ needed, done, onBack }: Props) {
  const [isAsking, setAsking] = useState(false);
  const passkey = useCommand(secondStepCalls.signIn, { shownBy: "form" });
  const form = useLightCallForm(secondStepCalls.signIn, {
    defaults: { code: "" },
    input: ({ code }) => ({ step: needed.step, code: code.trim() }),
    done: ({ token }) => done(token),
    onRefused: (refused) => refused.name === "stepSpent" && onBack(refused.msg),
  });
  const signInWithPasskey = async () => {
    setAsking(true);
    try {
      const { requestPasskey: showPasskey } = await import("../../browser/passkeys.ts");
      const shown = await showPasskey(needed.passkey ?? {});
      // The passkey challenge is used up by its answer: after a rejection the sign-in starts over.
      const entered = shown && (await passkey.run({ step: needed.step, passkey: shown }, ({ msg }) => onBack(msg)));
      if (entered) done(entered.data.token);
    } catch (error) {
      showError(error);
    } finally {
      setAsking(false);
    }
  };
  return { form, asking: isAsking, showsPasskey: signInWithPasskey };
}

await loadTexts("factor");
