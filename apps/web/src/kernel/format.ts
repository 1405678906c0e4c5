import dayjs from "dayjs";
import { say } from "./texts.ts";

/** A calendar day (YYYY-MM-DD) stays the day that it is; an instant becomes the day in the reader's time zone. */
export const showDay = (value: string | null | undefined): string => (value ? dayjs(value).format("YYYY-MM-DD") : "–");
export const showTime = (value: string | null | undefined): string =>
  value ? dayjs(value).format("YYYY-MM-DD HH:mm") : "–";
export const showFullTime = (value: string | null | undefined): string =>
  value ? dayjs(value).format("YYYY-MM-DD HH:mm:ss") : "–";

/** Minutes under an hour, hours under a day, else days. */
export function showAgo(value: string, now: Date = new Date()): string {
  const minutes = Math.max(0, dayjs(now).diff(value, "minute"));
  if (minutes < 1) return say("common.ago.now");
  if (minutes < 60) return say("common.ago.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? say("common.ago.hours", { count: hours })
    : say("common.ago.days", { count: Math.floor(hours / 24) });
}

const units = ["B", "kB", "MB", "GB", "TB"] as const;
export function showBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
