import { Switch } from "@mantine/core";
import { Controller } from "react-hook-form";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import type { SettingsValues } from "./settings-form-values.ts";

type RuleName = "hidePatientNames" | "sharePhones" | "autoAcceptRelations" | "requireFactor";
type Props = { rule: RuleName } & Pick<CallForm<SettingsValues>, "form" | "error">;

/** A rule of the institution that is on or off, with its consequence below. */
export function RuleSwitch({ rule, form, error }: Props) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name={rule}
      render={({ field: { value, onChange, ...field } }) => (
        <Switch
          {...field}
          checked={value}
          onChange={(event) => onChange(event.currentTarget.checked)}
          label={t(`institution.${rule}`)}
          description={t(`institution.${rule}Text`)}
          error={error(rule)}
        />
      )}
    />
  );
}
