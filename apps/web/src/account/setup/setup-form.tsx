import { Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { setupCalls } from "@arcada/contract/account/setup.calls";
import type { SetupPurpose } from "@arcada/contract/account/setup.calls";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { useCookieConsent } from "../cookies/cookie-consent.tsx";
import { NewPasswordFields } from "../fields/new-password-fields.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";
import { useFocusFirstField } from "../use-focus-first-field.ts";

interface Props {
  secret: string;
  purpose: SetupPurpose;
  account: string | null;
  passwordMin: number;
  done: (token: string | null) => void;
}

/** Creates the account of an operator, or sets a new password: the fields depend on the purpose of the link. */
export function SetupForm({ secret, purpose, account, passwordMin, done }: Props) {
  const t = useTexts("setup", "account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const { disabled, reason } = useCookieConsent();
  const form = useLightCallForm(setupCalls.finishSetup, {
    defaults: { email: "", name: "", password: "", confirm: "" },
    input: ({ email, name, ...passwords }) => ({
      link: secret,
      ...passwords,
      ...(purpose === "first" && { email }),
      ...(purpose !== "password" && { name }),
    }),
    done: ({ token }) => done(token),
  });
  const { values, set, error } = form;
  return (
    <form ref={formRef} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Introduction purpose={purpose} account={account} />
        {reason && <FormError text={t(`account.${reason}`)} kind="info" />}
        {purpose === "first" && (
          <TextInput
            name="email"
            type="email"
            label={t("setup.email")}
            autoComplete="username"
            size="md"
            value={values.email}
            onChange={(event) => set({ email: event.currentTarget.value })}
            error={error("email")}
            disabled={disabled}
          />
        )}
        {purpose !== "password" && (
          <TextInput
            name="name"
            label={t("setup.name")}
            autoComplete="name"
            maxLength={60}
            size="md"
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={error("name") && t("common.field.required")}
            disabled={disabled}
          />
        )}
        <NewPasswordFields values={values} set={set} error={error} disabled={disabled} min={passwordMin} />
        <FormError text={form.problem} />
        <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
          {t(purpose === "password" ? "setup.save" : "setup.create")}
        </Button>
      </Stack>
    </form>
  );
}

function Introduction({ purpose, account }: Pick<Props, "purpose" | "account">) {
  const t = useTexts("setup");
  return (
    <div>
      <Title order={1}>{t(`setup.title.${purpose}`)}</Title>
      <Text c="dimmed" mt={6}>
        {t(`setup.text.${purpose}`)}
      </Text>
      {account && (
        <>
          <Text mt="sm" fw={600}>
            {t("setup.account", { account })}
          </Text>
          <input type="hidden" autoComplete="username" value={account} readOnly />
        </>
      )}
    </div>
  );
}
