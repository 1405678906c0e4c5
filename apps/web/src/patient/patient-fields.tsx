import { Checkbox, Group, Input, SegmentedControl, TextInput, Textarea } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";
import { Controller } from "react-hook-form";
import { fieldGroups, oralHabits, sexes } from "@arcada/contract/patient/patient-field-definition";
import { patientFields } from "@arcada/contract/patient/patient-fields";
import type { OralHabit } from "@arcada/contract/patient/patient-field-definition";
import type { DetailControl, DetailField, DetailWith } from "@arcada/contract/patient/patient-fields";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { BirthFields } from "./birth-fields.tsx";
import { answers, detailsOfGroup } from "./patient-form-values.ts";
import type { PatientValues } from "./patient-form-values.ts";
import { DayFormField } from "../ui/form/day-form-field.tsx";
import classes from "./patient-form.module.css";

type PatientCallForm = CallForm<PatientValues>;
interface FieldsProps {
  call: PatientCallForm;
  /** For controls that are not form elements and emit no change event. */
  onDirty: () => void;
}

const detailGroups = fieldGroups.filter((group) => group !== "basics");

/** All fields of a patient's record, the required ones first. */
export function PatientFields(props: FieldsProps) {
  const t = useTexts("patient");
  return (
    <div className={classes.fields}>
      <BasicFields {...props} />
      {detailGroups.map((group) => (
        <FieldGroup key={group} title={t(`patient.group.${group}`)}>
          {detailsOfGroup(group).map((field) => (
            <DetailInput key={field} field={field} {...props} />
          ))}
        </FieldGroup>
      ))}
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
        maxLength={patientFields.name.maxLength}
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

interface InputProps<C extends DetailControl> extends FieldsProps {
  field: DetailWith<C>;
}
function DetailInput({ field, ...props }: FieldsProps & { field: DetailField }) {
  const Control = controls[patientFields[field].control] as ComponentType<FieldsProps & { field: DetailField }>;
  return <Control field={field} {...props} />;
}
const controls: { [C in DetailControl]: ComponentType<InputProps<C>> } = {
  line: LineInput,
  dateTime: DateTimeInput,
  paragraph: LongTextInput,
  notes: LongTextInput,
  answer: AnswerInput,
  habits: HabitsInput,
};

function LineInput({ field, call: { form, error } }: InputProps<"line">) {
  const t = useTexts("patient");
  const { maxLength, keyboard } = patientFields[field];
  return (
    <TextInput
      label={t(`patient.field.${field}`)}
      autoComplete="off"
      maxLength={maxLength}
      error={error(field)}
      {...(keyboard !== "text" && { type: keyboard, inputMode: keyboard })}
      {...form.register(field)}
    />
  );
}

function DateTimeInput({ field, call: { form, error } }: InputProps<"dateTime">) {
  const t = useTexts("patient");
  return <DayFormField withTime form={form} field={field} label={t(`patient.field.${field}`)} error={error(field)} />;
}

type LongTextProps = FieldsProps & { field: DetailWith<"paragraph" | "notes"> };
function LongTextInput({ field, call: { form, error } }: LongTextProps) {
  const t = useTexts("patient");
  return (
    <Textarea
      className={classes.wide}
      label={t(`patient.field.${field}`)}
      autosize
      minRows={patientFields[field].minRows}
      maxRows={8}
      error={error(field)}
      {...form.register(field)}
    />
  );
}

function AnswerInput({ field: name, call: { form }, onDirty }: InputProps<"answer">) {
  const t = useTexts("patient");
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Input.Wrapper label={t(`patient.field.${name}`)} labelElement="div">
          <SegmentedControl
            className={classes.choice}
            fullWidth
            size="xs"
            aria-label={t(`patient.field.${name}`)}
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
  );
}

function HabitsInput({ field: name, call: { form } }: InputProps<"habits">) {
  const t = useTexts("patient");
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Checkbox.Group
          className={classes.wide}
          label={t(`patient.field.${name}`)}
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
