import { Anchor, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { FactorNeeded } from "@arcada/contract/factor/factor.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { show } from "../../kernel/show.ts";
import { loadTexts, useTexts } from "../../kernel/texts.ts";
import { useCommand } from "../../kernel/use-command.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useFields } from "../use-fields.ts";
import { canPasskeys } from "./can-passkeys.ts";

interface Props {
  needed: FactorNeeded;
  done: (token: string) => void;
  /** Returns to the first form; with the reason if the server requires the input again. */
  onBack: (why?: string) => void;
}
type Way = "totp" | "recovery";

/** The second step of a sign-in. The form of the first step stays as it was. */
export function SecondStep({ needed, done, onBack }: Props) {
  const t = useTexts("account", "factor");
  const has = (kind: FactorNeeded["factors"][number]) => needed.factors.includes(kind);
  const [way, setWay] = useState<Way>(has("totp") ? "totp" : "recovery");
  const step = useSecondStep({ needed, done, onBack });
  const { form } = step;
  const other = way === "totp" ? "recovery" : "totp";
  const withPasskey = has("passkey") && canPasskeys();
  const withCode = has("totp") || has("recovery");
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h3">
          {t("factor.stepTitle")}
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {t(withCode ? `factor.stepText.${way}` : "factor.stepText.passkey")}
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
      {withCode && <CodeForm way={way} form={form} />}
      <FormProblem text={form.problem} />
      <Group justify="space-between">
        <Anchor component="button" type="button" size="sm" onClick={() => onBack()}>
          {t("common.back")}
        </Anchor>
        {has(other) && withCode && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              setWay(other);
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

function CodeForm({ way, form }: { way: Way; form: ReturnType<typeof useSecondStep>["form"] }) {
  const t = useTexts("account", "factor");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [way]);
  return (
    <form onSubmit={form.submit} noValidate aria-label={t("factor.stepTitle")}>
      <Stack gap="md">
        <TextInput
          ref={field}
          name="code"
          label={t(`factor.code.${way}`)}
          placeholder={t(`factor.hint.${way}`)}
          inputMode={way === "totp" ? "numeric" : "text"}
          autoComplete="one-time-code"
          maxLength={way === "totp" ? factorRules.totpDigits : 20}
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
  const [asking, setAsking] = useState(false);
  const passkey = useCommand(factorCalls.signIn, { shownBy: "form" });
  const form = useFields(factorCalls.signIn, {
    start: { code: "" },
    input: ({ code }) => ({ step: needed.step, code: code.trim() }),
    done: ({ token }) => done(token),
    heard: (refused) => refused.name === "stepSpent" && onBack(refused.msg),
  });
  const showsPasskey = async () => {
    setAsking(true);
    try {
      const { showPasskey } = await import("../../kernel/passkey-dialog.ts");
      const shown = await showPasskey(needed.passkey ?? {});
      // The passkey challenge is used up by its answer: after a rejection the sign-in starts over.
      const entered = shown && (await passkey.run({ step: needed.step, passkey: shown }, ({ msg }) => onBack(msg)));
      if (entered) done(entered.data.token);
    } catch (error) {
      show(error);
    } finally {
      setAsking(false);
    }
  };
  return { form, asking, showsPasskey };
}

await loadTexts("factor");
