import { TextInput } from "@mantine/core";
import { addYears, yearsBetween } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import { useTexts } from "../i18n/texts.ts";
import { getToday } from "../i18n/time-zone.ts";
import classes from "./patient-form.module.css";
import { DayFormField } from "../ui/form/day-form-field.tsx";
import type { CallForm } from "../data/use-call-form.ts";
import type { PatientValues } from "./patient-form-values.ts";

/** A birth date, or an age if it is unknown. With a birth date the age is computed. */
export function BirthFields({ call: { form, error } }: { call: CallForm<PatientValues> }) {
  const t = useTexts("patient");
  const birthDate = form.watch("birthDate");
  const now = getToday();
  const years = birthDate ? yearsBetween(birthDate, now) : null;
  return (
    <div className={classes.birth}>
      <DayFormField
        form={form}
        field="birthDate"
        isLongAgo
        label={t("patient.field.birthDate")}
        withAsterisk
        min={addYears(now, -patientRules.maxAge)}
        max={now}
        error={error("birthDate")}
      />
      {birthDate ? (
        <TextInput
          key="follows"
          label={t("patient.field.age")}
          readOnly
          disabled
          value={years !== null && years >= 0 ? String(years) : ""}
        />
      ) : (
        <TextInput
          key="given"
          label={t("patient.field.orAge")}
          inputMode="numeric"
          maxLength={3}
          autoComplete="off"
          error={error("age")}
          {...form.register("age")}
        />
      )}
    </div>
  );
}
