import { NumberInput, Stack, Switch, Text } from "@mantine/core";
import { Controller } from "react-hook-form";
import { retentionRules, retentionYearsIn } from "@arcada/contract/patient/retention-years";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { Section } from "../ui/page.tsx";
import type { SettingsValues } from "./settings-form-values.ts";

type Props = { country: string } & Pick<CallForm<SettingsValues>, "form" | "error">;

/** The retention period of patient records before they may be erased. */
export function RetentionRule({ country, form, error }: Props) {
  const t = useTexts("institution");
  return (
    <Section title={t("institution.retention")}>
      <Controller
        control={form.control}
        name="retentionYears"
        render={({ field: { value, onChange, ...field } }) => (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t("institution.retentionText")}
            </Text>
            <Switch
              checked={value === null}
              onChange={(event) => onChange(event.currentTarget.checked ? null : retentionYearsIn(country))}
              label={t("institution.retentionUsual", { count: retentionYearsIn(country) })}
            />
            {value !== null && (
              <NumberInput
                {...field}
                value={value}
                onChange={(years) => onChange(Number(years))}
                label={t("institution.retentionYears")}
                min={0}
                max={retentionRules.max}
                allowDecimal={false}
                clampBehavior="blur"
                maw={220}
                error={error("retentionYears")}
              />
            )}
          </Stack>
        )}
      />
    </Section>
  );
}
