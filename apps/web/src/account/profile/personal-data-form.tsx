import { NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { accountRules } from "@arcada/contract/account/account.rules";
import { chooseLanguage, listLanguageChoices, getText, useLanguage, useTexts } from "../../i18n/texts.ts";
import type { Language } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import type { CallForm } from "../../data/use-call-form.ts";
import { Section } from "../../ui/page.tsx";
import { AvatarField } from "./avatar-field.tsx";
import { useCountryName } from "../fields/country-select.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { DayFormField } from "../../ui/form/day-form-field.tsx";
import { useSettingsForm } from "../../ui/sections/unsaved-changes.ts";

interface Values {
  nickName: string;
  userName: string;
  gender: "male" | "female" | "";
  birthday: string;
  address: string;
  workPhone: string;
  language: Language;
}

export function PersonalData({ user }: { user: UserInfo }) {
  const t = useTexts("account");
  const language = useLanguage();
  const { form, submit, problem, error } = useCallForm<typeof profileCalls.setSelfInfo, Values>(
    profileCalls.setSelfInfo,
    {
      defaults: { ...toValues(user), language },
      input: ({ gender, birthday, address, workPhone, ...same }) => ({
        ...same,
        gender: gender || null,
        birthday: birthday || null,
        address: address || null,
        workPhone: workPhone.trim() || null,
      }),
      onSuccess: (_, values) => {
        form.reset(values);
        if (values.language === language) toast("success", t("common.saved"));
        else void chooseLanguage(values.language).then(() => toast("success", getText("account.languageDone")));
      },
    },
  );
  useSettingsForm({ isDirty: form.formState.isDirty, save: submit, discard: () => form.reset() });
  return (
    <Section title={t("account.myData")}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <AvatarField user={user} />
          <PersonFields form={form} error={error} />
          <TextInput
            label={t("account.address")}
            autoComplete="street-address"
            {...form.register("address")}
            error={error("address")}
          />
          <TextInput
            type="tel"
            label={t("account.workPhone")}
            description={t("account.workPhoneText")}
            maxLength={accountRules.workPhone}
            {...form.register("workPhone")}
            error={error("workPhone")}
          />
          <Country user={user} />
          <NativeSelect
            label={t("account.language")}
            data={listLanguageChoices(language).map((one) => ({ value: one, label: t(`common.languages.${one}`) }))}
            {...form.register("language")}
          />
          <FormError text={problem} />
        </Stack>
      </form>
    </Section>
  );
}

const toValues = (user: UserInfo): Omit<Values, "language"> => ({
  nickName: user.nickName,
  userName: user.userName,
  gender: user.gender ?? "",
  birthday: user.birthday ?? "",
  address: user.address ?? "",
  workPhone: user.workPhone ?? "",
});

function PersonFields({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("account");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <TextInput
        label={t("account.displayName")}
        autoComplete="nickname"
        {...form.register("nickName")}
        error={error("nickName")}
      />
      <TextInput
        label={t("account.userName")}
        autoComplete="name"
        {...form.register("userName")}
        error={error("userName")}
      />
      <NativeSelect
        label={t("account.gender")}
        data={[
          { value: "", label: "–" },
          { value: "male", label: t("common.sex.male") },
          { value: "female", label: t("common.sex.female") },
        ]}
        {...form.register("gender")}
        error={error("gender")}
      />
      <DayFormField form={form} field="birthday" isLongAgo label={t("account.birthday")} error={error("birthday")} />
    </SimpleGrid>
  );
}

function Country({ user }: { user: UserInfo }) {
  const t = useTexts("account");
  const name = useCountryName(user.country);
  return (
    <TextInput
      label={t("account.country")}
      description={t("account.countryOnce")}
      readOnly
      variant="filled"
      value={name ?? "–"}
    />
  );
}
