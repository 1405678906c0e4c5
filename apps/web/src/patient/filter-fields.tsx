import { Button, Drawer, Fieldset, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import type { ReactNode } from "react";
import { useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { DayField } from "../ui/form/day-field.tsx";
import classes from "./patient-filters.module.css";
import { foldedFields } from "./use-filtered-patients.ts";
import type { PatientFilter } from "./use-filtered-patients.ts";

/** The further filters on a narrow screen. */
export function FilterDrawer({ filter, onClose }: { filter: PatientFilter; onClose: () => void }) {
  const t = useTexts("patient");
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="auto"
      title={t("patient.filter.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <FilterFields filter={filter} />
    </Drawer>
  );
}

/** The fields of the filters besides search text and sex. */
export function FilterFields({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearchParams();
  const [clearCount, setClearCount] = useState(0);
  const clear = () => {
    setSearch(Object.fromEntries(foldedFields.map((field) => [field, undefined])));
    setClearCount((count) => count + 1);
  };
  return (
    <div className={classes.more} role="group" aria-label={t("patient.filter.title")}>
      <div key={clearCount} className={classes.fields}>
        <AgeRange filter={filter} />
        <DayRange range="visit" filter={filter} />
        <DayRange range="created" filter={filter} />
        <PresenceFilter what="ct" filter={filter} />
        <PresenceFilter what="report" filter={filter} />
      </div>
      <Group justify="flex-end">
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t("patient.none.clear")}
        </Button>
      </Group>
    </div>
  );
}

function AgeRange({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearchParams();
  const applySearch = useDebouncedCallback((field: string, years: string) => setSearch({ [field]: years.trim() }), 300);
  return (
    <FieldPair legend={t("patient.field.age")}>
      {(["ageFrom", "ageTo"] as const).map((field) => (
        <TextInput
          key={field}
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          aria-label={t(`patient.filter.${field}`)}
          placeholder={t(`patient.filter.${field}`)}
          defaultValue={filter[field] === undefined ? "" : String(filter[field])}
          onChange={(event) => applySearch(field, event.currentTarget.value)}
        />
      ))}
    </FieldPair>
  );
}

/** A first and a last day; either may be left open. */
function DayRange({ range, filter }: { range: "visit" | "created"; filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearchParams();
  return (
    <FieldPair legend={t(`patient.field.${range === "visit" ? "recentVisitAt" : "createdAt"}`)} isDayPair>
      {([`${range}From`, `${range}To`] as const).map((field) => (
        <DayField
          key={field}
          aria-label={t(`patient.filter.${field}`)}
          value={filter[field] ?? ""}
          onChange={(day) => setSearch({ [field]: day })}
        />
      ))}
    </FieldPair>
  );
}

function FieldPair({ legend, isDayPair, children }: { legend: string; isDayPair?: true; children: ReactNode }) {
  const root = isDayPair ? `${classes.pair} ${classes.days}` : classes.pair!;
  return (
    <Fieldset variant="unstyled" legend={legend} classNames={{ root, legend: classes.legend! }}>
      {children}
    </Fieldset>
  );
}

function PresenceFilter({ what, filter }: { what: "ct" | "report"; filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearchParams();
  return (
    <NativeSelect
      label={t(`patient.filter.${what}.label`)}
      data={[
        { value: "", label: t("common.all") },
        ...(["yes", "no"] as const).map((value) => ({ value, label: t(`patient.filter.${what}.${value}`) })),
      ]}
      value={filter[what] ?? ""}
      onChange={(event) => setSearch({ [what]: event.currentTarget.value })}
    />
  );
}
