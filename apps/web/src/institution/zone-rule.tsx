import { Controller } from "react-hook-form";
import { useTexts } from "../kernel/texts.ts";
import type { CallForm } from "../kernel/use-form.ts";
import { zoneChoices } from "../kernel/zone.ts";
import { ZoneSelect } from "../ui/zone-select.tsx";
import type { Values } from "./institution-settings.page.tsx";

/** The time zone in which the institution's days begin. */
export function ZoneRule({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="timeZone"
      render={({ field: { value, onChange, onBlur } }) => (
        <ZoneSelect
          label={t("institution.timeZone")}
          description={t("institution.timeZoneText")}
          zones={zoneChoices(value)}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          error={error("timeZone")}
        />
      )}
    />
  );
}
