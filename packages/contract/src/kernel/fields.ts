import { z } from "zod";

/** A record's identifier: UUID, made by the server. */
export const id = z.uuid();
/** Several of them in an address, with commas between. */
export const someIds = (most: number) =>
  limited(37 * most)
    .transform((value) => value.split(","))
    .pipe(z.array(id).max(most));
/** The value of `iid` for a session without an institution. */
export const noInstitution = "0";
export const nothing = z.null();
export const none = z.object({});
/** An instant as ISO 8601 text with time zone, straight from SQL. */
export const instant = z.string();
/**
 * A string whose length is checked first: a later pattern or refinement never sees one that is too long. Every external
 * text is declared by this or by a schema built on it (decision 67).
 */
export const limited = (most: number, error?: string) => z.string().max(most, { abort: true, ...(error && { error }) });
export const text = (most: number) => z.string().trim().max(most, { abort: true });
export const required = (most: number) => text(most).min(1);
/** Yes or no in an address. */
export const flag = limited(5).pipe(z.stringbool());
export const email = (most: number) => limited(most).check(z.email("emailShape"));
/** A record whose entries are counted before any of them is validated, as arrays do by default. */
export const recordOf = <K extends z.ZodString, V extends z.ZodType>(key: K, value: V, most: number) => {
  const record = z.record(key, value);
  const counted = z.preprocess((given, context) => {
    if (given !== null && typeof given === "object" && Object.keys(given).length > most)
      context.addIssue({ code: "too_big", origin: "object", maximum: most, inclusive: true, input: given });
    return given;
  }, record);
  return counted as z.ZodType<z.output<typeof record>, z.input<typeof record>>;
};
// PostgreSQL has no year 0, and ISO 8601 has no fifth digit: dates beyond these years cannot be stored or written.
const isInCalendar = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;
/** A calendar day: parsed as an instant it would slip a day west of Greenwich. */
export const day = limited(10)
  .check(z.iso.date())
  .refine((text) => isInCalendar(new Date(text)), "dateShape");
/** An instant from outside, with its time zone; the longest has nine decimals and an offset. */
export const moment = limited(40)
  .check(z.iso.datetime({ offset: true }))
  .refine((text) => isInCalendar(new Date(text)), "dateShape");
/** A local date and time without a zone. */
export const wallTime = limited(40)
  .check(z.iso.datetime({ local: true, error: "dateShape" }))
  .refine((text) => isInCalendar(new Date(`${text.slice(0, 10)}T00:00:00Z`)), "dateShape");
/** Whole numbers that a column of type `integer` holds. */
export const whole = z.int32();
export const mostWhole = 2_147_483_647;
/** Row version: a change names the version that it saw, and the row gets the next one, which the column must hold, too. */
export const version = whole.nonnegative().max(mostWhole - 1);
/** A version in a query parameter. */
export const shownVersion = z.coerce.number().int().positive().max(mostWhole);

/**
 * Rows of a page: the maximum, the default, in lists that grow while they are read, and of orders, whose rows are tall.
 */
export const pageRules = { most: 999, usual: 20, growing: 50, orders: 30 } as const;
export const paging = {
  page: z.coerce.number().int().min(1).max(mostWhole).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageRules.most).default(pageRules.usual),
};
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({ list: z.array(row), total: z.int(), next: z.string().nullable() });

/** The reason for each refused field: the key of a text in common.json under `field`. */
export const fieldErrors = z.record(z.string(), z.string());
