import "@mantine/dates/styles.css";
import { DatePicker } from "@mantine/dates";
import { useEffect, useRef } from "react";
import { languageTagOf, useLanguage, useTexts } from "../../i18n/texts.ts";
import type { Language } from "../../i18n/texts.ts";
import { getToday } from "../../i18n/time-zone.ts";

export interface CalendarProps {
  /** The chosen day as YYYY-MM-DD, or an empty text. */
  day: string;
  min?: string | undefined;
  max?: string | undefined;
  /** Begins with the choice of the year: for a day far in the past. */
  isLongAgo?: boolean | undefined;
  onPick: (day: string) => void;
}

/**
 * A month from which to choose a day, with the words and the first weekday of the reader's language. Loaded when it is
 * opened.
 */
export function DayCalendar({ day, min, max, isLongAgo, onPick }: CalendarProps) {
  const t = useTexts("common");
  const language = useLanguage();
  const now = getToday();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const find = (what: string) => root.current?.querySelector<HTMLElement>(what);
    const first = find("[data-selected]") ?? find("[data-today]:not(:disabled)") ?? find("tbody button:not(:disabled)");
    first?.focus();
  }, []);
  return (
    <DatePicker
      ref={root}
      __stopPropagation
      value={day || null}
      onChange={(picked) => picked && onPick(picked)}
      defaultDate={day || (isLongAgo ? `${Number(now.slice(0, 4)) - 40}-01-01` : max && max < now ? max : now)}
      defaultLevel={isLongAgo && !day ? "decade" : "month"}
      {...(min !== undefined && { minDate: min })}
      {...(max !== undefined && { maxDate: max })}
      firstDayOfWeek={language === "ar" ? 6 : 1}
      weekendDays={language === "ar" ? [5, 6] : [0, 6]}
      weekdayFormat={createDayFormatter(language, {
        weekday: language === "zh" || language === "ar" ? "narrow" : "short",
      })}
      monthLabelFormat={createDayFormatter(language, { year: "numeric", month: "long" })}
      monthsListFormat={createDayFormatter(language, { month: "short" })}
      yearLabelFormat={createDayFormatter(language, { year: "numeric" })}
      getDayAriaLabel={createDayFormatter(language, { dateStyle: "full" })}
      // Today in the institution's time zone, which may differ from the browser's.
      getDayProps={(date) => ({ ...(date === now && { "data-today": true, "aria-current": "date" as const }) })}
      ariaLabels={Object.fromEntries(controlNames.map((name) => [name, t(`common.calendar.${name}`)]))}
    />
  );
}

const controlNames = [
  "monthLevelControl",
  "yearLevelControl",
  "nextMonth",
  "previousMonth",
  "nextYear",
  "previousYear",
  "nextDecade",
  "previousDecade",
] as const;

/** A day's words; figures are Latin in every language. */
const createDayFormatter = (language: Language, options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
  const format = new Intl.DateTimeFormat(languageTagOf(language), {
    ...options,
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone: "UTC",
  });
  return (day) => format.format(Date.parse(`${day.slice(0, 10)}T00:00:00Z`));
};
