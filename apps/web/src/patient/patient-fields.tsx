import { Checkbox, Group, Input, SegmentedControl, TextInput, Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { Controller } from "react-hook-form";
import { oralHabits, sexes } from "@arcada/contract/patient/patient.calls";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { BirthFields } from "./birth-fields.tsx";
import { answers, conditions, lineFields, longTextFields } from "./patient-values.ts";
import type { TextLineField, OralHabit, PatientValues } from "./patient-values.ts";
import { DayFormField } from "../ui/form/day-field.tsx";
import classes from "./patient-form.module.css";

type PatientCallForm = CallForm<PatientValues>;
interface FieldsProps {
  call: PatientCallForm;
  /** For controls that are not form elements and emit no change event. */
  onDirty: () => void;
}

/** All fields of a patient's record, the required ones first. */
export function PatientFields(props: FieldsProps) {
  const t = useTexts("patient");
  return (
    <div className={classes.fields}>
      <BasicFields {...props} />
      <FieldGroup title={t("patient.group.contact")}>
        {lineFields.contact.map((field) => (
          <LineField key={field} field={field} call={props.call} />
        ))}
      </FieldGroup>
      <FieldGroup title={t("patient.group.papers")}>
        {lineFields.papers.map((field) => (
          <LineField key={field} field={field} call={props.call} />
        ))}
      </FieldGroup>
      <MedicalHistory {...props} />
    </div>
  );
}

function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      <div className={classes.grid}>{children}</div>
    </fieldset>
  );
}

function BasicFields({ call, onDirty }: FieldsProps) {
  const t = useTexts("patient");
  const { form, error } = call;
  return (
    <FieldGroup title={t("patient.group.basics")}>
      <TextInput
        label={t("patient.field.name")}
        withAsterisk
        required
        autoComplete="off"
        data-autofocus
        maxLength={80}
        error={error("name")}
        {...form.register("name")}
      />
      <Controller
        control={form.control}
        name="sex"
        render={({ field }) => (
          <Input.Wrapper
            label={t("patient.field.sex")}
            labelElement="div"
            withAsterisk
            error={error("sex")}
            errorProps={{ className: classes.sexError }}
          >
            <SegmentedControl
              className={classes.choice}
              fullWidth
              aria-label={t("patient.field.sex")}
              data={sexes.map((sex) => ({ value: sex, label: t(`common.sex.${sex}`) }))}
              value={field.value}
              onChange={(value) => {
                field.onChange(value);
                onDirty();
              }}
            />
          </Input.Wrapper>
        )}
      />
      <BirthFields call={call} />
    </FieldGroup>
  );
}

/** The input type of a field and the keyboard that a telephone shows. */
const inputPropsByField: Partial<Record<TextLineField, { type?: string; inputMode?: "tel" | "email" }>> = {
  phone: { type: "tel", inputMode: "tel" },
  fixedLine: { type: "tel", inputMode: "tel" },
  email: { type: "email", inputMode: "email" },
};
const getMaxLength = (field: TextLineField): number =>
  field === "mailAddress" ? 200 : field === "email" ? 254 : field === "phone" || field === "fixedLine" ? 30 : 40;

function LineField({ field, call: { form, error } }: { field: TextLineField; call: PatientCallForm }) {
  const t = useTexts("patient");
  if (field === "inspectedAt")
    return <DayFormField withTime form={form} field={field} label={t(`patient.field.${field}`)} error={error(field)} />;
  return (
    <TextInput
      label={t(`patient.field.${field}`)}
      autoComplete="off"
      maxLength={getMaxLength(field)}
      error={error(field)}
      {...inputPropsByField[field]}
      {...form.register(field)}
    />
  );
}

function MedicalHistory({ call: { form, error }, onDirty }: FieldsProps) {
  const t = useTexts("patient");
  return (
    <FieldGroup title={t("patient.group.history")}>
      {longTextFields.map((field) => (
        <Textarea
          key={field}
          className={classes.wide}
          label={t(`patient.field.${field}`)}
          autosize
          minRows={field === "allergies" ? 1 : 2}
          maxRows={8}
          error={error(field)}
          {...form.register(field)}
        />
      ))}
      {conditions.map((condition) => (
        <Controller
          key={condition}
          control={form.control}
          name={condition}
          render={({ field }) => (
            <Input.Wrapper label={t(`patient.field.${condition}`)} labelElement="div">
              <SegmentedControl
                className={classes.choice}
                fullWidth
                size="xs"
                aria-label={t(`patient.field.${condition}`)}
                data={answers.map((answer) => ({ value: answer, label: t(`patient.answer.${answer}`) }))}
                value={field.value}
                onChange={(value) => {
                  field.onChange(value);
                  onDirty();
                }}
              />
            </Input.Wrapper>
          )}
        />
      ))}
      <HabitFields form={form} />
      <Textarea
        className={classes.wide}
        label={t("patient.field.remark")}
        autosize
        minRows={2}
        maxRows={8}
        error={error("remark")}
        {...form.register("remark")}
      />
    </FieldGroup>
  );
}

function HabitFields({ form }: Pick<FieldsProps["call"], "form">) {
  const t = useTexts("patient");
  return (
    <Controller
      control={form.control}
      name="habits"
      render={({ field }) => (
        <Checkbox.Group
          className={classes.wide}
          label={t("patient.field.habits")}
          value={field.value}
          onChange={(value) => field.onChange(value as OralHabit[])}
        >
          <Group gap="md" mt={6}>
            {oralHabits.map((habit) => (
              <Checkbox key={habit} value={habit} label={t(`patient.habit.${habit}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    />
  );
}
