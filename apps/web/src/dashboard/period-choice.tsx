import { SegmentedControl, TextInput } from "@mantine/core";
import dayjs from "dayjs";
import { dashboardRules } from "@arcada/contract/dashboard/dashboard.calls";
import { useSetSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { daysOf, firstDay, type Period } from "./period.ts";
import classes from "./dashboard.module.css";

/** Which time the figures are of; kept in the address, so that a colleague can be shown the same. */
export function PeriodChoice({ period }: { period: Period }) {
  const t = useTexts("dashboard");
  const set = useSetSearch();
  const today = dayjs().format("YYYY-MM-DD");
  const chosen = period.to === today ? dashboardRules.days.find((days) => days === daysOf(period)) : undefined;
  return (
    <div className={classes.periods} role="group" aria-label={t("dashboard.period")}>
      <SegmentedControl
        aria-label={t("dashboard.period")}
        data={[
          ...dashboardRules.days.map((days) => ({ value: String(days), label: t("dashboard.lastDays", { days }) })),
          ...(chosen === undefined ? [{ value: "own", label: t("dashboard.ownDays") }] : []),
        ]}
        value={chosen === undefined ? "own" : String(chosen)}
        onChange={(days) => days !== "own" && set({ from: firstDay(today, Number(days)), to: undefined })}
      />
      {(["from", "to"] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          className={classes.day!}
          label={t(`dashboard.${end}`)}
          max={today}
          value={period[end]}
          onChange={(event) => set({ [end]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}
