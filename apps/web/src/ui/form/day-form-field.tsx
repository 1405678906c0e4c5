import { useController } from "react-hook-form";
import type { FieldPathByValue, FieldValues, UseFormReturn } from "react-hook-form";
import { DayField } from "./day-field.tsx";
import type { DayFieldProps } from "./day-field.tsx";

type FormFieldProps<V extends FieldValues> = Omit<DayFieldProps, "value" | "onChange" | "onUnreadable" | "form"> & {
  form: UseFormReturn<V>;
  field: FieldPathByValue<V, string | null | undefined>;
};

/**
 * A day of a form: an invalid day stays in the form, so that its validation refuses it. Filters of lists use the bare
 * field, so that a list does not load the form library.
 */
export function DayFormField<V extends FieldValues>({ form, field: name, ...rest }: FormFieldProps<V>) {
  const { ref, value, onChange, onBlur } = useController({ control: form.control, name }).field;
  const change = (next: string) => onChange(next);
  return (
    <DayField
      {...rest}
      ref={ref}
      name={name}
      value={(value as string | null | undefined) ?? ""}
      onBlur={onBlur}
      onChange={change}
      onUnreadable={change}
    />
  );
}
