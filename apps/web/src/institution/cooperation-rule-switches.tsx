import { Stack, Switch } from "@mantine/core";
import { Controller } from "react-hook-form";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { Section } from "../ui/page.tsx";
import type { SettingsValues } from "./settings-form-values.ts";

type RuleName = "hidePatientNames" | "sharePhones" | "autoAcceptRelations" | "requireFactor";
const sections: { title: "privacy" | "cooperation" | "security"; rules: readonly RuleName[] }[] = [
  { title: "privacy", rules: ["hidePatientNames", "sharePhones"] },
  { title: "cooperation", rules: ["autoAcceptRelations"] },
  { title: "security", rules: ["requireFactor"] },
];

/** The institution's rules of cooperation, each as a switch. */
export function RuleSwitches({ form, error }: Pick<CallForm<SettingsValues>, "form" | "error">) {
  const t = useTexts("institution");
  return sections.map(({ title, rules }) => (
    <Section key={title} title={t(`institution.${title}`)}>
      <Stack gap="md">
        {rules.map((rule) => (
          <Controller
            key={rule}
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
        ))}
      </Stack>
    </Section>
  ));
}
