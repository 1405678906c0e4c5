import { NativeSelect, Radio, SimpleGrid, TextInput } from "@mantine/core";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import { intendedRoles } from "@arcada/contract/account/user-info.schema";
import { useCallOnce } from "../../data/use-call-once.ts";
import { useTexts } from "../../i18n/texts.ts";
import { formatCountry } from "../fields/format-country.ts";

export type IntendedRole = (typeof intendedRoles)[number];

interface PersonValues {
  intendedRole: IntendedRole | "";
  nickName: string;
  nation: string;
}
interface Props {
  values: PersonValues;
  set: (change: Partial<PersonValues>) => void;
  error: (field: keyof PersonValues) => string | undefined;
  disabled: boolean;
}

/** The person who registers: the role, the name and the country. */
export function PersonFields({ values, set, error, disabled }: Props) {
  const t = useTexts("account");
  const countries = useCallOnce(countryCalls.fetchCountries) ?? [];
  const options = countries.map((one) => ({ value: one.code, label: formatCountry(one) }));
  return (
    <>
      <Radio.Group
        label={t("account.intendedRole")}
        value={values.intendedRole}
        onChange={(role) => set({ intendedRole: role as IntendedRole })}
        error={error("intendedRole") && t("common.field.roleNeeded")}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6} mb={4}>
          {intendedRoles.map((role) => (
            <Radio key={role} name="intendedRole" value={role} label={t(`account.role.${role}`)} disabled={disabled} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          name="nickName"
          label={t("account.userName")}
          maxLength={60}
          autoComplete="name"
          size="md"
          value={values.nickName}
          onChange={(event) => set({ nickName: event.currentTarget.value })}
          error={error("nickName")}
          disabled={disabled}
        />
        <NativeSelect
          name="nation"
          label={t("account.country")}
          autoComplete="country"
          size="md"
          data={options.length > 0 ? options : [values.nation]}
          value={values.nation}
          onChange={(event) => set({ nation: event.currentTarget.value })}
          error={error("nation")}
          disabled={disabled}
        />
      </SimpleGrid>
    </>
  );
}
