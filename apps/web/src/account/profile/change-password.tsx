import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { passwordCalls } from "@arcada/contract/account/password.calls";
import { useTexts } from "../../i18n/texts.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import { Section } from "../../ui/page.tsx";
import { FormError } from "../../ui/form/form-error.tsx";

const fields = { oldPassword: "current-password", password: "new-password", confirm: "new-password" } as const;
type Field = keyof typeof fields;
const labels: Record<Field, TextKey> = {
  oldPassword: "account.oldPassword",
  password: "account.newPassword",
  confirm: "account.confirmPassword",
};
const empty: Record<Field, string> = { oldPassword: "", password: "", confirm: "" };

export function ChangePassword() {
  const t = useTexts("account");
  const { form, submit, busy, problem, error } = useCallForm<
    typeof passwordCalls.changePassword,
    Record<Field, string>
  >(passwordCalls.changePassword, {
    defaults: empty,
    onSuccess: () => {
      form.reset(empty);
      toast("success", t("account.passwordChanged"));
    },
  });
  return (
    <Section title={t("account.changePassword")} description={t("account.changePasswordText")}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {(Object.keys(fields) as Field[]).map((field) => (
            <PasswordInput
              key={field}
              label={t(labels[field])}
              autoComplete={fields[field]}
              {...form.register(field)}
              error={error(field)}
              visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
            />
          ))}
          <FormError text={problem} />
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={!form.formState.isDirty}>
              {t("account.changePassword")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
