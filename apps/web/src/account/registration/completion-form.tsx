import { Button, Group, Stack, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import type { Control, FieldValues } from "react-hook-form";
import { completeAccountCalls } from "@arcada/contract/account/complete-account.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { currentLanguage, useTexts } from "../../i18n/texts.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { useFocusFirstField } from "../use-focus-first-field.ts";
import { getDefaultCountry } from "../fields/format-country.ts";
import { CountrySelect } from "../fields/country-select.tsx";
import { LegalAgreement } from "../legal/legal-agreement.tsx";

/** The form for what a personal account with a bound e-mail address still lacks. */
export function PersonForm({ user, email, done }: { user: UserInfo; email: string; done: () => void }) {
  const t = useTexts("account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const { form, submit, busy, problem, error } = useCallForm(completeAccountCalls.initSelfInfo, {
    defaults: {
      email,
      ...(user.country === null && { nation: getDefaultCountry(currentLanguage()) }),
      userName: user.userName,
      agree: user.legalAgreed,
    },
    onSuccess: done,
  });
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {user.userName === "" && (
          <TextInput
            label={t("account.userName")}
            required
            autoComplete="name"
            data-autofocus
            {...form.register("userName")}
            error={error("userName")}
          />
        )}
        {user.country === null && <NationField control={form.control} error={error("nation")} />}
        {!user.legalAgreed && <AgreementField control={form.control} error={error("agree")} />}
        <FormError text={problem} />
        <SubmitButton busy={busy} />
      </Stack>
    </form>
  );
}

/** The `initStatus` of an account that was created for a clinic. */
const clinicStatus = 2;

/** The form for the missing data of an account that was created for a clinic or a lab. */
export function OrganisationForm({ user, done }: { user: UserInfo; done: () => void }) {
  const t = useTexts("account");
  const formRef = useFocusFirstField<HTMLFormElement>();
  const isClinic = user.initStatus === clinicStatus;
  const { form, submit, busy, problem, error } = useCallForm(completeAccountCalls.initStudyInfo, {
    defaults: {
      nation: getDefaultCountry(currentLanguage()),
      agree: user.legalAgreed,
      ...(isClinic && { name: user.institution?.name ?? "" }),
    },
    onSuccess: done,
  });
  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} noValidate aria-label={t("account.completion.title")}>
      <Stack gap="md">
        {isClinic && (
          <TextInput
            label={t("account.completion.organisationName")}
            maxLength={120}
            {...form.register("name")}
            error={error("name")}
          />
        )}
        <NationField control={form.control} error={error("nation")} />
        {!user.legalAgreed && <AgreementField control={form.control} error={error("agree")} />}
        <FormError text={problem} />
        <SubmitButton busy={busy} />
      </Stack>
    </form>
  );
}

function SubmitButton({ busy }: { busy: boolean }) {
  const t = useTexts("account");
  return (
    <Group justify="flex-end">
      <Button type="submit" loading={busy}>
        {t("account.completion.submit")}
      </Button>
    </Group>
  );
}

interface FieldProps<V extends FieldValues> {
  control: Control<V>;
  error: string | undefined;
}

/** A user who signed up through an identity provider has not seen our terms before. */
function AgreementField<V extends { agree?: boolean | undefined }>({ control, error }: FieldProps<V>) {
  return (
    <Controller
      control={control as unknown as Control<{ agree: boolean }>}
      name="agree"
      render={({ field }) => <LegalAgreement checked={field.value} onChange={field.onChange} error={error} />}
    />
  );
}

function NationField<V extends { nation?: string | undefined }>({ control, error }: FieldProps<V>) {
  const t = useTexts("account");
  return (
    <Controller
      control={control as unknown as Control<{ nation: string }>}
      name="nation"
      render={({ field }) => (
        <CountrySelect
          label={t("account.country")}
          description={t("account.countryOnce")}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          error={error}
        />
      )}
    />
  );
}
