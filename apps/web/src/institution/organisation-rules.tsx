import { NumberInput, Stack, Switch } from "@mantine/core";
import { Controller } from "react-hook-form";
import { receiptRules } from "@arcada/contract/order/order-steps.rules";
import { retentionRules, retentionYearsIn } from "@arcada/contract/patient/retention-years";
import { formatList } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import type { SettingsValues } from "./settings-form-values.ts";

type RuleName = "hidePatientNames" | "sharePhones" | "autoAcceptRelations" | "requireFactor" | "launchCreatesPatients";
export type RuleProps = Pick<CallForm<SettingsValues>, "form" | "error">;

/** A rule of the institution that is on or off, with its consequence below. */
export function RuleSwitch({ rule, form, error }: RuleProps & { rule: RuleName }) {
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

/** The rule for closing an unconfirmed receipt automatically: off, or after a number of days. */
export function ReceiptRule({ form, error }: RuleProps) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="receiptDays"
      render={({ field: { value, onChange, ...field } }) => (
        <Stack gap="md">
          <Switch
            checked={value !== null}
            onChange={(event) => onChange(event.currentTarget.checked ? receiptRules.days : null)}
            label={t("institution.receiptOff")}
            description={t("institution.receiptOffText", { days: formatList(receiptRules.reminders.map(String)) })}
          />
          {value !== null && (
            <NumberInput
              {...field}
              value={value}
              onChange={(days) => onChange(Number(days))}
              label={t("institution.receiptDays")}
              min={receiptRules.minDays}
              max={receiptRules.maxDays}
              allowDecimal={false}
              clampBehavior="blur"
              maw={220}
              error={error("receiptDays")}
            />
          )}
        </Stack>
      )}
    />
  );
}

/** The retention period of patient records before they may be erased. */
export function RetentionRule({ country, form, error }: RuleProps & { country: string }) {
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
