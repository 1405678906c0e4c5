import { NumberInput, Stack, Switch } from "@mantine/core";
import { Controller } from "react-hook-form";
import { receiptRules } from "@arcada/contract/order/order-steps.rules";
import { formatList } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import type { SettingsValues } from "./settings-form-values.ts";

/** The rule for closing an unconfirmed receipt automatically: off, or after a number of days. */
export function ReceiptRule({ form, error }: Pick<CallForm<SettingsValues>, "form" | "error">) {
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
