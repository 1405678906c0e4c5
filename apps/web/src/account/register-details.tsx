import { Anchor, Button, Checkbox, Group, PasswordInput, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { accountCalls, intendedRoles } from "@arcada/contract/account/account.calls";
import { useTexts } from "../kernel/texts.ts";
import { useWelcome } from "./door.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { Legal } from "./legal.tsx";
import type { LegalKind } from "./legal.tsx";
import { useFields } from "./use-fields.ts";

interface Props {
  ticket: string;
  account: string;
  onBack: () => void;
  done: (token: string) => void;
  disabled: boolean;
}
type Role = (typeof intendedRoles)[number];

export function RegisterDetails({ ticket, account, onBack, done, disabled }: Props) {
  const t = useTexts("account");
  const welcome = useWelcome();
  const [legal, setLegal] = useState<LegalKind | null>(null);
  const form = useFields(accountCalls.register, {
    start: { nickName: "", password: "", confirm: "", intendedRole: "" as Role | "", agree: false, agreeSms: false },
    input: (values) => ({ ...values, ticket, nickName: values.nickName || undefined }) as never,
    done: ({ token }) => done(token),
  });
  const { values, set, error } = form;
  const words = (key: string, kind: LegalKind): ReactNode => (
    <Anchor component="button" type="button" size="sm" onClick={() => setLegal(kind)}>
      {t(key)}
    </Anchor>
  );
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {t("account.verifiedAs", { account })}{" "}
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {t("account.change")}
          </Anchor>
        </Text>
        <input type="hidden" autoComplete="username" value={account} readOnly />
        <Radio.Group label={t("account.intendedRole")} value={values.intendedRole} onChange={(role) => set({ intendedRole: role as Role })} error={error("intendedRole") && t("common.field.roleNeeded")}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6} mb={4}>
            {intendedRoles.map((role) => (
              <Radio key={role} name="intendedRole" value={role} label={t(`account.role.${role}`)} />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <TextInput name="nickName" label={t("account.nickName")} description={t("common.optional")} maxLength={60} autoComplete="name" size="md" value={values.nickName} onChange={(event) => set({ nickName: event.currentTarget.value })} error={error("nickName")} />
        <PasswordInput
          name="password"
          label={t("account.newPassword")}
          description={welcome && t("account.passwordRule", { count: welcome.passwordMin })}
          autoComplete="new-password"
          size="md"
          value={values.password}
          onChange={(event) => set({ password: event.currentTarget.value })}
          error={error("password")}
          visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
        />
        <PasswordInput
          name="confirm"
          label={t("account.confirmPassword")}
          autoComplete="new-password"
          size="md"
          value={values.confirm}
          onChange={(event) => set({ confirm: event.currentTarget.value })}
          error={error("confirm")}
          visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
        />
        <Checkbox
          name="agree"
          checked={values.agree}
          onChange={(event) => set({ agree: event.currentTarget.checked })}
          error={error("agree")}
          label={
            <>
              {t("account.agree")} {words("account.terms", "terms")} {t("account.and")} {words("account.privacy", "privacy")}
            </>
          }
        />
        <Checkbox name="agreeSms" checked={values.agreeSms} onChange={(event) => set({ agreeSms: event.currentTarget.checked })} error={error("agreeSms")} label={t("account.agreeSms")} />
        <FormProblem text={form.problem} />
        <Group grow>
          <Button variant="default" size="md" onClick={onBack}>
            {t("common.back")}
          </Button>
          <Button type="submit" size="md" loading={form.busy} disabled={disabled}>
            {t("account.register")}
          </Button>
        </Group>
      </Stack>
      <Legal kind={legal} onClose={() => setLegal(null)} />
    </form>
  );
}
