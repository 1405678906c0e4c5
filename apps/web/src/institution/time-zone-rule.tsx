import { Controller } from "react-hook-form";
import { useTexts } from "../i18n/texts.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { listZoneOptions } from "../i18n/time-zone.ts";
import { TimeZoneSelect } from "../ui/form/time-zone-select.tsx";
import type { SettingsValues } from "./settings-values.ts";

/** The time zone in which the institution's days begin. */
export function ZoneRule({ form, error }: Pick<CallForm<SettingsValues>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="timeZone"
      render={({ field: { value, onChange, onBlur } }) => (
        <TimeZoneSelect
          label={t("institution.timeZone")}
          description={t("institution.timeZoneText")}
          zones={listZoneOptions(value)}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          error={error("timeZone")}
        />
      )}
    />
  );
}
