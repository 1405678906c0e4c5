import { Button, Drawer, Fieldset, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useSetSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import classes from "./patient-filters.module.css";
import { foldedFields } from "./use-patients.ts";
import type { PatientFilter } from "./use-patients.ts";
import { DayField } from "../kernel/day-field.tsx";

/** The filters besides search text and sex: below the bar, or in a drawer on narrow screens. */
export function MoreFilters({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const chosen = foldedFields.filter((field) => filter[field] !== undefined).length;
  const isNarrow = useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false });
  const [isOpen, open] = useDisclosure(chosen > 0 && !isNarrow);
  return (
    <>
      <Button
        variant={chosen > 0 ? "light" : "default"}
        leftSection={<IconFilter size={17} stroke={1.7} aria-hidden />}
        aria-expanded={isOpen}
        onClick={open.toggle}
      >
        {chosen > 0 ? t("patient.filter.on", { count: chosen }) : t("patient.filter.title")}
      </Button>
      {isNarrow ? (
        <Drawer
          opened={isOpen}
          onClose={open.close}
          position="bottom"
          size="auto"
          title={t("patient.filter.title")}
          closeButtonProps={{ "aria-label": t("common.close") }}
        >
          <Fields filter={filter} />
        </Drawer>
      ) : (
        isOpen && <Fields filter={filter} />
      )}
    </>
  );
}

function Fields({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearch();
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setSearch(Object.fromEntries(foldedFields.map((field) => [field, undefined])));
    setClearings((times) => times + 1);
  };
  return (
    <div className={classes.more} role="group" aria-label={t("patient.filter.title")}>
      <div key={clearings} className={classes.fields}>
        <Ages filter={filter} />
        <Days of="visit" filter={filter} />
        <Days of="created" filter={filter} />
        <Having what="ct" filter={filter} />
        <Having what="report" filter={filter} />
      </div>
      <Group justify="flex-end">
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t("patient.none.clear")}
        </Button>
      </Group>
    </div>
  );
}

function Ages({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearch();
  const pass = useDebouncedCallback((field: string, years: string) => setSearch({ [field]: years.trim() }), 300);
  return (
    <Pair legend={t("patient.field.age")}>
      {(["ageFrom", "ageTo"] as const).map((field) => (
        <TextInput
          key={field}
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          aria-label={t(`patient.filter.${field}`)}
          placeholder={t(`patient.filter.${field}`)}
          defaultValue={filter[field] === undefined ? "" : String(filter[field])}
          onChange={(event) => pass(field, event.currentTarget.value)}
        />
      ))}
    </Pair>
  );
}

/** A first and a last day; either may be left open. */
function Days({ of, filter }: { of: "visit" | "created"; filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearch();
  return (
    <Pair legend={t(`patient.field.${of === "visit" ? "recentVisitAt" : "createdAt"}`)} ofDays>
      {([`${of}From`, `${of}To`] as const).map((field) => (
        <DayField
          key={field}
          aria-label={t(`patient.filter.${field}`)}
          value={filter[field] ?? ""}
          onChange={(day) => setSearch({ [field]: day })}
        />
      ))}
    </Pair>
  );
}

function Pair({ legend, ofDays, children }: { legend: string; ofDays?: true; children: ReactNode }) {
  const root = ofDays ? `${classes.pair} ${classes.days}` : classes.pair!;
  return (
    <Fieldset variant="unstyled" legend={legend} classNames={{ root, legend: classes.legend! }}>
      {children}
    </Fieldset>
  );
}

function Having({ what, filter }: { what: "ct" | "report"; filter: PatientFilter }) {
  const t = useTexts("patient");
  const setSearch = useSetSearch();
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
