import { SegmentedControl } from "@mantine/core";
import { dashboardRules } from "@arcada/contract/dashboard/trend-buckets";
import { useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { getToday } from "../i18n/time-zone.ts";
import { countDays, getFirstDay, type Period } from "./period.ts";
import classes from "./dashboard.module.css";
import { DayField } from "../ui/form/day-field.tsx";

/** The period of the figures. The address contains it, so that the view can be shared with a colleague. */
export function PeriodSelect({ period }: { period: Period }) {
  const t = useTexts("dashboard");
  const set = useSetSearchParams();
  const last = getToday();
  const chosen = period.to === last ? dashboardRules.days.find((days) => days === countDays(period)) : undefined;
  return (
    <div className={classes.periods} role="group" aria-label={t("dashboard.period")}>
      <SegmentedControl
        aria-label={t("dashboard.period")}
        data={[
          ...dashboardRules.days.map((days) => ({ value: String(days), label: t("dashboard.lastDays", { days }) })),
          ...(chosen === undefined ? [{ value: "own", label: t("dashboard.ownDays") }] : []),
        ]}
        value={chosen === undefined ? "own" : String(chosen)}
        onChange={(days) => days !== "own" && set({ from: getFirstDay(last, Number(days)), to: undefined })}
      />
      {(["from", "to"] as const).map((end) => (
        <DayField
          key={end}
          className={classes.day!}
          label={t(`dashboard.${end}`)}
          max={last}
          value={period[end]}
          onChange={(day) => day && set({ [end]: day })}
        />
      ))}
    </div>
  );
}
