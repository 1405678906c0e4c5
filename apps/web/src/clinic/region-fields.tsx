import { Select, TextInput } from "@mantine/core";
import type { ComboboxItem, OptionsFilter } from "@mantine/core";
import { useMemo } from "react";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Division } from "@arcada/contract/clinic/clinic.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";

export interface Region {
  country: string;
  province: string;
  city: string;
}
interface Props {
  value: Region;
  onChange: (place: Region) => void;
  error?: (field: keyof Region) => string | undefined;
  /** Used as a filter of a list: no field is required, and a field without a list of divisions is not offered. */
  isFilter?: boolean;
  /** True if the clinic's institution determines the country. */
  countryFixed?: boolean;
}

/**
 * Country, province and city, each found by its native name, its Latin name or pinyin; free text if no list is known.
 */
export function RegionFields({ value, onChange, error, isFilter = false, countryFixed = false }: Props) {
  const t = useTexts("clinic");
  const { country, province, city } = value;
  const provinces = useDivisions(country, "");
  const cities = useDivisions(provinces?.length === 0 ? "" : country, province);
  return (
    <>
      <CountrySelect
        label={t("clinic.country")}
        value={country}
        onChange={(code) => onChange({ country: code, province: "", city: "" })}
        error={error?.("country")}
        isFilter={isFilter}
        disabled={countryFixed}
      />
      <DivisionField
        label={t("clinic.province")}
        divisions={provinces}
        value={province}
        onChange={(code) => onChange({ country, province: code, city: "" })}
        error={error?.("province")}
        isFilter={isFilter}
        disabled={country === ""}
      />
      <DivisionField
        label={t("clinic.city")}
        divisions={province === "" && provinces?.length !== 0 ? undefined : cities}
        value={city}
        onChange={(code) => onChange({ country, province, city: code })}
        error={error?.("city")}
        isFilter={isFilter}
        disabled={country === "" || (province === "" && provinces?.length !== 0)}
      />
    </>
  );
}

/** Undefined while loading; empty if none are known. */
function useDivisions(country: string, province: string): Division[] | undefined {
  const query = useCall(
    clinicCalls.divisions,
    { country, ...(province && { province }) },
    { enabled: country.length === 2 },
  );
  return country === "" ? [] : query.data;
}

const formatLabel = ({ name, native }: { name: string; native: string }): string =>
  name === native ? name : `${name} · ${native}`;
// Above dialogs, one of which contains it.
const comboboxProps = { zIndex: 400 };

interface FieldProps {
  label: string;
  value: string;
  onChange: (code: string) => void;
  error: string | undefined;
  isFilter: boolean;
  disabled: boolean;
}

function CountrySelect({ onChange, isFilter, ...rest }: FieldProps) {
  const t = useTexts("clinic");
  const countries = useCall(countryCalls.fetchCountries, {}).data ?? [];
  return (
    <Select
      {...rest}
      required={!isFilter}
      searchable
      clearable={isFilter}
      openOnFocus={false}
      placeholder={isFilter ? t("clinic.all") : undefined}
      nothingFoundMessage={t("common.nothingFound")}
      data={countries.map((one) => ({ value: one.code, label: formatLabel({ name: one.native, native: one.name }) }))}
      value={rest.value || null}
      onChange={(code) => onChange(code ?? "")}
      comboboxProps={comboboxProps}
    />
  );
}

function DivisionField({ divisions, onChange, isFilter, ...rest }: FieldProps & { divisions: Division[] | undefined }) {
  const t = useTexts("clinic");
  const filter = useDivisionFilter(divisions);
  if (divisions?.length === 0 && !rest.disabled)
    return isFilter ? null : (
      <TextInput {...rest} maxLength={60} onChange={(event) => onChange(event.currentTarget.value)} />
    );
  return (
    <Select
      {...rest}
      searchable
      clearable
      openOnFocus={false}
      placeholder={isFilter ? t("clinic.all") : undefined}
      nothingFoundMessage={t("common.nothingFound")}
      data={divisions?.map((one) => ({ value: one.code, label: formatLabel(one) })) ?? []}
      filter={filter}
      value={rest.value || null}
      onChange={(code) => onChange(code ?? "")}
      comboboxProps={comboboxProps}
    />
  );
}

/** Filters by every name that the server knows for a division, not only by the shown one. */
function useDivisionFilter(divisions: Division[] | undefined): OptionsFilter {
  return useMemo(() => {
    const searchTextByCode = new Map(
      divisions?.map((one) => [one.code, `${formatLabel(one)} ${one.words}`.toLowerCase()]),
    );
    return ({ options, search, limit }) =>
      (options as ComboboxItem[])
        .filter(({ value }) => searchTextByCode.get(value)?.includes(search.trim().toLowerCase()) ?? false)
        .slice(0, limit);
  }, [divisions]);
}
