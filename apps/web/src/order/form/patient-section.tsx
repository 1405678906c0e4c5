import { Group, Select, Skeleton, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { formatDay } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { Section } from "../../ui/page.tsx";
import type { FormSectionProps } from "./form-section-props.ts";
import classes from "./order-form.module.css";

/** The patient of the order: given by the page's address, or found by search. */
export function PatientSection({ draft, change, error, isFixed }: FormSectionProps & { isFixed: boolean }) {
  const t = useTexts("order");
  if (isFixed) return <FixedPatient id={draft.patientId} />;
  return (
    <Section title={t("order.form.patient")}>
      <PatientPicker
        id={draft.patientId}
        error={error("patientId")}
        // Images belong to the patient, so clear them when the patient changes.
        onChosen={(patientId) => change({ patientId, studies: [] })}
      />
    </Section>
  );
}

function FixedPatient({ id }: { id: string }) {
  const t = useTexts("order", "common");
  const { data: patient } = useCall(patientCalls.detail, { id }, { enabled: id !== "" });
  return (
    <Section>
      {patient ? (
        <Group gap="lg" className={classes.patient}>
          <ScreenLink screen="patientDetail" search={{ id }} className={classes.patientName}>
            {patient.name}
          </ScreenLink>
          <Text size="sm" c="dimmed">
            {[t(`common.sex.${patient.sex}`), patient.birthDate && formatDay(patient.birthDate), patient.number]
              .filter(Boolean)
              .join(" · ")}
          </Text>
        </Group>
      ) : (
        <Skeleton h={24} w={220} />
      )}
    </Section>
  );
}

interface PickerProps {
  id: string;
  /** The patient who is chosen already. */
  start?: { value: string; label: string } | null;
  error: string | undefined;
  onChosen: (id: string) => void;
}
export function PatientPicker({ id, start, error, onChosen }: PickerProps) {
  const t = useTexts("order");
  const [typed, setTyped] = useState(start?.label ?? "");
  const [chosen, setChosen] = useState(start ?? null);
  // The field shows the label of the chosen patient, which is not a search text.
  const [search] = useDebouncedValue(typed === chosen?.label ? "" : typed.trim(), 250);
  const found = useCall(patientCalls.list, { ...(search && { search }), pageSize: 20 }, { keepPrevious: true });
  const rows = (found.data?.list ?? []).map(({ id: value, name, number, birthDate }) => ({
    value,
    label: describePatient({ name, number, birthDate }),
  }));
  const data = chosen && !rows.some(({ value }) => value === chosen.value) ? [chosen, ...rows] : rows;
  return (
    <Select
      searchable
      label={t("order.form.patientText")}
      placeholder={t("order.form.patientHint")}
      maw={520}
      data={data}
      // The server has already filtered, also by initials and numbers that the label does not contain.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      value={id || null}
      onChange={(value, option) => {
        if (!value) return;
        setChosen(option);
        onChosen(value);
      }}
      allowDeselect={false}
      nothingFoundMessage={found.isPending ? t("common.loading") : t("order.form.patientNone")}
      error={error}
    />
  );
}

/** A patient as the picker shows them. */
export const describePatient = (patient: { name: string; number: string; birthDate: string | null }): string =>
  [patient.name, patient.number, patient.birthDate && formatDay(patient.birthDate)].filter(Boolean).join(" · ");
