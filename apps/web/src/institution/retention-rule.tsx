import { NumberInput, Stack, Switch } from "@mantine/core";
import { Controller } from "react-hook-form";
import { retentionRules, retentionYearsIn } from "@arcada/contract/patient/retention-years";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import type { SettingsValues } from "./settings-form-values.ts";

type Props = { country: string } & Pick<CallForm<SettingsValues>, "form" | "error">;

/** The retention period of patient records before they may be erased. */
export function RetentionRule({ country, form, error }: Props) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="retentionYears"
      render={({ field: { value, onChange, ...field } }) => (
        <Stack gap="md">
          <Switch
            checked={value === null}
            onChange={(event) => onChange(event.currentTarget.checked ? null : retentionYearsIn(country))}
            label={`${t("institution.retention")}: ${t("institution.retentionUsual", { count: retentionYearsIn(country) })}`}
            description={t("institution.retentionText")}
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
  );
}
