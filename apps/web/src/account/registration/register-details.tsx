import { Anchor, Button, Checkbox, Group, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { intendedRoles } from "@arcada/contract/account/user-info.schema";
import { deleteDraft, saveDraft, readDraft } from "../../browser/drafts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { useFocusFirstField } from "../use-focus-first-field.ts";
import { LegalAgreement } from "../legal/legal-agreement.tsx";
import { isPhoneNumber } from "../fields/account-field.tsx";
import { NewPasswordFields } from "../fields/new-password-fields.tsx";
import { useLightCallForm } from "../fields/use-call-form-without-library.ts";
import classes from "../fields/account.module.css";

interface Props {
  ticket: string;
  account: string;
  onBack: () => void;
  done: (token: string) => void;
  disabled: boolean;
}
type Role = (typeof intendedRoles)[number];

const draftKey = "register";
/** The fields that survive a reload. Passwords do not. */
const draftDefaults = { nickName: "", intendedRole: "" as Role | "", agree: false, agreeSms: false };

export function RegisterDetails({ ticket, account, onBack, done, disabled }: Props) {
  const t = useTexts("account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const isPhone = isPhoneNumber(account);
  const form = useLightCallForm(registrationCalls.register, {
    defaults: { ...(readDraft(draftKey, draftDefaults) ?? draftDefaults), password: "", confirm: "" },
    input: ({ agreeSms, ...values }) =>
      ({ ...values, ...(isPhone && { agreeSms }), ticket, nickName: values.nickName || undefined }) as never,
    done: ({ token }) => {
      deleteDraft(draftKey);
      done(token);
    },
  });
  const { values, error } = form;
  const set = (change: Partial<typeof values>) => {
    form.set(change);
    const { password: _, confirm: __, ...persisted } = { ...values, ...change };
    saveDraft(draftKey, persisted);
  };
  return (
    <form ref={formRef} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {t("account.verifiedAs", { account })}{" "}
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {t("account.change")}
          </Anchor>
        </Text>
        <input type="hidden" autoComplete="username" value={account} readOnly />
        <RoleSelect
          value={values.intendedRole}
          onChange={(intendedRole) => set({ intendedRole })}
          error={error("intendedRole") && t("common.field.roleNeeded")}
        />
        <TextInput
          name="nickName"
          label={t("account.nickName")}
          description={t("common.optional")}
          maxLength={60}
          autoComplete="name"
          size="md"
          value={values.nickName}
          onChange={(event) => set({ nickName: event.currentTarget.value })}
          error={error("nickName")}
        />
        <NewPasswordFields values={values} set={set} error={error} />
        <Agreements values={values} set={set} error={error} isPhone={isPhone} />
        <FormError text={form.problem} />
        <Group gap="sm" wrap="nowrap">
          <Button variant="default" size="md" className={classes.asLarge} onClick={onBack}>
            {t("common.back")}
          </Button>
          <Button type="submit" size="md" className={classes.grow} loading={form.busy} disabled={disabled}>
            {t("account.register")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RoleSelect({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (role: Role) => void;
  error: string | undefined;
}) {
  const t = useTexts("account");
  return (
    <Radio.Group
      label={t("account.intendedRole")}
      value={value}
      onChange={(role) => onChange(role as Role)}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6} mb={4}>
        {intendedRoles.map((role) => (
          <Radio key={role} name="intendedRole" value={role} label={t(`account.role.${role}`)} />
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

interface AgreementsProps {
  values: { agree: boolean; agreeSms: boolean };
  set: (change: { agree?: boolean; agreeSms?: boolean }) => void;
  error: (field: string) => string | undefined;
  isPhone: boolean;
}

function Agreements({ values, set, error, isPhone }: AgreementsProps) {
  const t = useTexts("account");
  return (
    <>
      <LegalAgreement checked={values.agree} onChange={(agree) => set({ agree })} error={error("agree")} />
      {isPhone && (
        <Checkbox
          name="agreeSms"
          checked={values.agreeSms}
          onChange={(event) => set({ agreeSms: event.currentTarget.checked })}
          error={error("agreeSms")}
          label={t("account.agreeSms")}
        />
      )}
    </>
  );
}
