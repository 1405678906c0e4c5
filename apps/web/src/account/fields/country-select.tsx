import { Select } from "@mantine/core";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { formatCountry } from "./format-country.ts";

interface Props {
  label: string;
  description?: string;
  value: string;
  onChange: (code: string) => void;
  onBlur?: () => void;
  error: string | undefined;
}

/** A country, found by its own name or its English one. */
export function CountrySelect({ value, onChange, ...rest }: Props) {
  const t = useTexts();
  const countries = useCall(countryCalls.fetchCountries, {}).data ?? [];
  return (
    <Select
      required
      searchable
      openOnFocus={false}
      nothingFoundMessage={t("common.nothingFound")}
      data={countries.map((one) => ({ value: one.code, label: formatCountry(one) }))}
      value={value}
      onChange={(code) => onChange(code ?? "")}
      // Above dialogs, one of which contains it.
      comboboxProps={{ zIndex: 400 }}
      {...rest}
    />
  );
}

/** A country's display name; its code until the names are loaded. */
export function useCountryName(code: string | null): string | null {
  const countries = useCall(countryCalls.fetchCountries, {}, { enabled: code !== null }).data;
  const found = countries?.find((one) => one.code === code);
  return found ? formatCountry(found) : code;
}
