import { languageTags } from "@arcada/contract/kernel/languages";
import type { AgeBand } from "@arcada/contract/clinic/clinic.rules";
import { clinicRules } from "@arcada/contract/clinic/clinic.rules";
import type { Clinic } from "@arcada/contract/clinic/clinic.calls";
import { formatList, formatNumber } from "../i18n/format.ts";
import type { Language, Translate } from "../i18n/texts.ts";

/** Returns the region's name in the reader's language, or the code itself if it is unknown. */
export function getCountryName(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames([languageTags[language]], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Returns the place from country to city; a city with its province's name is listed once. */
export function formatPlace(
  { country, provinceName, cityName }: Pick<Clinic, "country" | "provinceName" | "cityName">,
  language: Language,
): string {
  const parts = [getCountryName(country, language), provinceName, cityName].filter((part) => part !== null);
  return formatList(parts.filter((part, at) => part !== parts[at - 1]));
}

export const formatPhone = ({ phoneArea, phone }: Pick<Clinic, "phoneArea" | "phone">): string | null =>
  phone && [phoneArea, phone].filter(Boolean).join(" ");

/** Returns the age band for the time since a moment. */
export function getAgeBand(since: string, now = Date.now()): AgeBand {
  const days = (now - Date.parse(since)) / 86_400_000;
  const { day, week, month } = clinicRules.bandDays;
  return days < day ? "day" : days < week ? "week" : days < month ? "month" : "older";
}
export const ageBandColours: Record<AgeBand, string> = { day: "teal", week: "blue", month: "orange", older: "red" };

/** Formats a duration: minutes below an hour, hours under two days, else days. */
export function formatDuration(t: Translate, hours: number | null): string {
  if (hours === null) return "–";
  if (hours * 120 < 1) return t("clinic.inNoMinute");
  if (hours < 0.995) return t("clinic.inMinutes", { value: formatNumber(hours * 60, 0) });
  return hours < 48
    ? t("clinic.inHours", { value: formatNumber(hours, hours < 10 ? 1 : 0) })
    : t("clinic.inDays", { value: formatNumber(hours / 24, hours < 240 ? 1 : 0) });
}
