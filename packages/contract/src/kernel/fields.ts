import { z } from "zod";

/** A record's identifier: UUID, made by the server. */
export const id = z.uuid();
/** Several of them in an address, with commas between. */
export const commaSeparatedIds = (max: number) =>
  limited(37 * max)
    .transform((value) => value.split(","))
    .pipe(z.array(id).max(max));
/** The value of `iid` for a session without an institution. */
export const noInstitution = "0";
export const nullOutput = z.null();
export const emptyObject = z.object({});
/** An instant as ISO 8601 text with time zone, straight from SQL. */
export const instant = z.string();
/**
 * A string whose length is checked first: a later pattern or refinement never sees one that is too long. Every external
 * text is declared by this or by a schema built on it (decision 67).
 */
export const limited = (max: number, error?: string) => z.string().max(max, { abort: true, ...(error && { error }) });
export const text = (max: number) => z.string().trim().max(max, { abort: true });
export const required = (max: number) => text(max).min(1);
/** Yes or no in an address. */
export const booleanParameter = limited(5).pipe(z.stringbool());
export const email = (max: number) => limited(max).check(z.email("emailShape"));
/** A record whose entries are counted before any of them is validated, as arrays do by default. */
export const boundedRecord = <K extends z.ZodString, V extends z.ZodType>(key: K, value: V, max: number) => {
  const record = z.record(key, value);
  const boundedInput = z.preprocess((input, context) => {
    if (input !== null && typeof input === "object" && Object.keys(input).length > max)
      context.addIssue({ code: "too_big", origin: "object", maximum: max, inclusive: true, input: input });
    return input;
  }, record);
  return boundedInput as z.ZodType<z.output<typeof record>, z.input<typeof record>>;
};
// PostgreSQL has no year 0, and ISO 8601 has no fifth digit: dates beyond these years cannot be stored or written.
const isStorableDate = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;
/** A calendar day: parsed as an instant it would slip a day west of Greenwich. */
export const day = limited(10)
  .check(z.iso.date())
  .refine((text) => isStorableDate(new Date(text)), "dateShape");
/** An instant from outside, with its time zone; the longest has nine decimals and an offset. */
export const timestampInput = limited(40)
  .check(z.iso.datetime({ offset: true }))
  .refine((text) => isStorableDate(new Date(text)), "dateShape");
/** A local date and time without a zone. */
export const localDateTime = limited(40)
  .check(z.iso.datetime({ local: true, error: "dateShape" }))
  .refine((text) => isStorableDate(new Date(`${text.slice(0, 10)}T00:00:00Z`)), "dateShape");
/** Whole numbers that a column of type `integer` holds. */
export const int32 = z.int32();
export const maxInt32 = 2_147_483_647;
/** Row version: a change names the version that it saw, and the row gets the next one, which the column must hold, too. */
export const version = int32.nonnegative().max(maxInt32 - 1);
/** A version in a query parameter. */
export const versionParameter = z.coerce.number().int().positive().max(maxInt32);

/**
 * Rows of a page: the maximum, the default, in lists that grow while they are read, and of orders, whose rows are tall.
 */
export const pageSizes = { max: 999, default: 20, growing: 50, orders: 30 } as const;
export const pagingParameters = {
  page: z.coerce.number().int().min(1).max(maxInt32).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageSizes.max).default(pageSizes.default),
};
export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({ list: z.array(row), total: z.int(), next: z.string().nullable() });

/** The reason for each refused field: the key of a text in common.json under `field`. */
export const fieldErrors = z.record(z.string(), z.string());
