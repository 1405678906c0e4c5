import { parseLocalTime } from "@arcada/contract/kernel/time-zone";
import { timestampInput } from "@arcada/contract/kernel/fields";

const prefixes = ["eq", "ne", "gt", "lt", "ge", "le", "sa", "eb"] as const;
type DatePrefix = (typeof prefixes)[number];

/** The time that a value of a search covers, from `start` until before `end`. */
export interface DateRange {
  prefix: DatePrefix;
  /** Instants, ISO 8601. */
  start: string;
  end: string;
  /** The same by the clock of the value, without a zone: YYYY-MM-DDTHH:mm:ss.sss. */
  localStart: string;
  localEnd: string;
}

const dateShape =
  /^(eq|ne|gt|lt|ge|le|sa|eb)?(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?\d{0,9})?(Z|[+-]\d{2}:\d{2})?)?)?)?$/;
const lastInstant = "9999-12-31T23:59:59.999Z";
const firstInstant = "0001-01-01T00:00:00.000Z";

/**
 * Reads a value of a search: it covers the whole time that it names, a year, a day or a second
 * (http://hl7.org/fhir/R4/search.html#date). Without an offset, it is meant in the zone. Null: it is no date.
 */
export function parseDateRange(value: string, zone: string): DateRange | null {
  if (value.length > 60) return null;
  const [, prefix = "eq", year, month, day, hour, minute, second, part = "", offset] = dateShape.exec(value) ?? [];
  if (year === undefined) return null;
  const text = `${year}-${month ?? "01"}-${day ?? "01"}T${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}${part.padEnd(4, ".000".slice(part.length))}`;
  if (!timestampInput.safeParse(`${text}${offset ?? "Z"}`).success) return null;
  const unit = part ? "millisecond" : second ? "second" : minute ? "minute" : day ? "day" : month ? "month" : "year";
  const localEnd = addUnit(text, unit);
  const toInstant = (local: string) =>
    clamp(offset ? new Date(`${local}${offset}`).toISOString() : (parseLocalTime(zone, local)?.toISOString() ?? ""));
  return {
    prefix: prefixes.find((one) => one === prefix) ?? "eq",
    start: toInstant(text),
    end: toInstant(localEnd),
    localStart: text,
    localEnd,
  };
}

type Unit = "millisecond" | "second" | "minute" | "day" | "month" | "year";
const milliseconds: Partial<Record<Unit, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  day: 86_400_000,
};
function addUnit(local: string, unit: Unit): string {
  const at = new Date(`${local}Z`);
  const length = milliseconds[unit];
  if (length !== undefined) at.setTime(at.getTime() + length);
  else if (unit === "month") at.setUTCMonth(at.getUTCMonth() + 1);
  else at.setUTCFullYear(at.getUTCFullYear() + 1);
  return clamp(at.toISOString()).slice(0, -1);
}
/** Years of five digits, and those before the first, are not written by the database. */
const clamp = (instant: string): string =>
  instant.startsWith("+") ? lastInstant : instant.startsWith("-") || instant < firstInstant ? firstInstant : instant;

/** True if a time, which itself lasts from `start` until before `end`, fits a range. Compares texts of one notation. */
export function fitsRange(time: { start: string; end: string }, range: DateRange): boolean {
  const within = time.start >= range.start && time.end <= range.end;
  const fits: Record<DatePrefix, boolean> = {
    eq: within,
    ne: !within,
    gt: time.end > range.end,
    ge: time.end > range.end || within,
    lt: time.start < range.start,
    le: time.start < range.start || within,
    sa: time.start >= range.end,
    eb: time.end <= range.start,
  };
  return fits[range.prefix];
}
