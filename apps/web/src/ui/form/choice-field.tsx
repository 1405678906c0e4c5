import { useId } from "react";
import classes from "./choice-field.module.css";

interface Props<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
}

/**
 * A choice of two or three options, side by side: styled radio buttons, so that keyboards and screen readers support
 * them.
 */
export function Choice<V extends string>({ label, value, options, onChange }: Props<V>) {
  const name = useId();
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
