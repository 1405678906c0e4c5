import { NativeSelect, SegmentedControl } from "@mantine/core";
import { patientSorts } from "@arcada/contract/patient/patient.calls";
import { sexes } from "@arcada/contract/patient/patient-field-definition";
import { useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { SearchBox } from "../ui/form/search-box.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { toSortSearch } from "./patient-table.tsx";
import type { PatientFilter } from "./use-filtered-patients.ts";
import classes from "./patient-filters.module.css";

/**
 * The filter is stored in the address, so that going back restores it. `typed` is the text of the search field.
 */
export function PatientFilters({ filter, typed }: { filter: PatientFilter; typed: string }) {
  const t = useTexts("patient");
  const setSearch = useSetSearchParams();
  return (
    <div className={classes.bar} role="search">
      <div className={classes.search}>
        <SearchBox
          label={t("patient.search")}
          value={typed}
          delayMs={250}
          onSearch={(search) => setSearch({ search })}
        />
      </div>
      <SegmentedControl
        aria-label={t("patient.field.sex")}
        data={[
          { value: "", label: t("common.all") },
          ...sexes.map((sex) => ({ value: sex, label: t(`common.sex.${sex}`) })),
        ]}
        value={filter.sex ?? ""}
        onChange={(sex) => setSearch({ sex })}
      />
      <NativeSelect
        className={classes.sort}
        aria-label={t("patient.sort.label")}
        data={patientSorts.map((sort) => ({ value: sort, label: t(`patient.sort.${sort}`) }))}
        value={filter.sort}
        onChange={({ currentTarget: { value } }) => setSearch(toSortSearch(value))}
      />
      <MoreFilters filter={filter} />
    </div>
  );
}
