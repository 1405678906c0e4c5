const pattern = /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?)?)?)?(?:[+-]\d{4})?$/;

/** Returns the calendar day of an HL7 time stamp of 8 to 14 digits; undefined if there is no such day. */
export function readHl7Day(text: string): string | undefined {
  const [, year = "", month = "", day = ""] = pattern.exec(text.trim()) ?? [];
  if (day === "") return undefined;
  const written = `${year}-${month}-${day}`;
  const at = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written) && year >= "1800" ? written : undefined;
}

/** Returns the local date and time of a time stamp; its offset is left out, as senders write their local time. */
export function readHl7LocalTime(text: string): string | undefined {
  const day = readHl7Day(text);
  if (day === undefined) return undefined;
  const [, , , , hour = "00", minute = "00"] = pattern.exec(text.trim()) ?? [];
  return hour < "24" && minute < "60" ? `${day}T${hour}:${minute}:00` : `${day}T00:00:00`;
}

/** Writes an instant as an HL7 time stamp in UTC. */
export const writeHl7Time = (at: Date): string => `${at.toISOString().replaceAll(/\D/g, "").slice(0, 14)}+0000`;
