import { Select } from "@mantine/core";
import type { ComboboxItem, OptionsFilter } from "@mantine/core";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Division } from "@arcada/contract/clinic/clinic.calls";
import { useCall } from "../../data/use-call.ts";
import { useTexts } from "../../i18n/texts.ts";

/** The chosen divisions by their codes, and their names as they begin or end an address; empty: none. */
export interface Place {
  province: string;
  city: string;
  names: readonly string[];
}
export const noPlace: Place = { province: "", city: "", names: [] };

interface Props {
  country: string;
  value: Place;
  onChange: (place: Place) => void;
}

/** The province and the city, from the tables of administrative divisions; nothing for a country without a table. */
export function PlaceFields({ country, value, onChange }: Props) {
  const t = useTexts("institution");
  const provinces = useCall(clinicCalls.divisions, { country }, { enabled: country.length === 2 }).data ?? [];
  const cities =
    useCall(clinicCalls.divisions, { country, province: value.province }, { enabled: value.province !== "" }).data ??
    [];
  const nameOf = (divisions: readonly Division[], code: string) =>
    divisions.filter((one) => one.code === code).map(({ native }) => native);
  return (
    <>
      {provinces.length > 0 && (
        <DivisionSelect
          label={t("institution.province")}
          divisions={provinces}
          value={value.province}
          onChange={(province) => onChange({ province, city: "", names: nameOf(provinces, province) })}
        />
      )}
      {cities.length > 0 && (
        <DivisionSelect
          label={t("institution.city")}
          divisions={cities}
          value={value.city}
          onChange={(city) =>
            onChange({ ...value, city, names: [...nameOf(provinces, value.province), ...nameOf(cities, city)] })
          }
        />
      )}
    </>
  );
}

interface DivisionSelectProps {
  label: string;
  divisions: readonly Division[];
  value: string;
  onChange: (code: string) => void;
}

/** A division, found by any of its names: native, Latin or pinyin. */
function DivisionSelect({ label, divisions, value, onChange }: DivisionSelectProps) {
  const t = useTexts("institution");
  const words = new Map(divisions.map((one) => [one.code, `${one.name} ${one.native} ${one.words}`.toLowerCase()]));
  const filter: OptionsFilter = ({ options, search, limit }) =>
    (options as ComboboxItem[])
      .filter((one) => words.get(one.value)?.includes(search.trim().toLowerCase()) ?? false)
      .slice(0, limit);
  return (
    <Select
      label={label}
      searchable
      clearable
      openOnFocus={false}
      nothingFoundMessage={t("common.nothingFound")}
      data={divisions.map(({ code, name, native }) => ({
        value: code,
        label: name === native ? name : `${name} · ${native}`,
      }))}
      filter={filter}
      value={value || null}
      onChange={(code) => onChange(code ?? "")}
      // Above the dialog that contains it.
      comboboxProps={{ zIndex: 400 }}
    />
  );
}

/** Countries whose addresses go from the province to the house, without separators. */
const largestFirst = ["CN", "TW", "HK", "MO", "JP"];

/** Joins a street and its place to one address, in the order of the country. */
export const joinAddress = (country: string, street: string, { names }: Place): string =>
  largestFirst.includes(country)
    ? [...names, street.trim()].join("")
    : [street.trim(), ...names.toReversed()].filter(Boolean).join(", ");
