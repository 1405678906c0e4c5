import { z } from "zod";

/** A record's identifier: UUID, made by the server. */
export const id = z.uuid();
/** Several of them in an address, with commas between. */
export const someIds = (most: number) =>
  limited(37 * most)
    .transform((value) => value.split(","))
    .pipe(z.array(id).max(most));
/** What `iid` holds for a session that is in no organisation. */
export const noInstitution = "0";
export const nothing = z.null();
export const none = z.object({});
/** An instant as ISO 8601 text with time zone, straight from SQL. */
export const instant = z.string();
/** A calendar day: parsed as an instant it would slip a day west of Greenwich. */
export const day = z.iso.date();
/**
 * A string whose length is judged first: what follows, a pattern or a refinement, never sees one that is too long. Every
 * text that comes from outside is declared by this or by what stands on it (decision 67).
 */
export const limited = (most: number, error?: string) => z.string().max(most, { abort: true, ...(error && { error }) });
export const text = (most: number) => z.string().trim().max(most, { abort: true });
export const required = (most: number) => text(most).min(1);
/** Yes or no in an address. */
export const flag = limited(5).pipe(z.stringbool());
export const email = (most: number) => limited(most).check(z.email("emailShape"));
/** An instant that is given; the longest has nine decimals and an offset. */
export const dateTime = (form: Parameters<typeof z.iso.datetime>[0]) => limited(40).check(z.iso.datetime(form));
/** A record whose entries are counted before any of them is looked at, as arrays do by themselves. */
export const recordOf = <K extends z.ZodString, V extends z.ZodType>(key: K, value: V, most: number) => {
  const record = z.record(key, value);
  const counted = z.preprocess((given, context) => {
    if (given !== null && typeof given === "object" && Object.keys(given).length > most)
      context.addIssue({ code: "too_big", origin: "object", maximum: most, inclusive: true, input: given });
    return given;
  }, record);
  return counted as z.ZodType<z.output<typeof record>, z.input<typeof record>>;
};
/** Row version: a change names the version that it saw. */
export const version = z.int().nonnegative();

/** Rows of a page: at most, where nobody says, in lists that grow as they are read, and of orders, whose rows are tall. */
export const pageRules = { most: 999, usual: 20, growing: 50, orders: 30 } as const;
export const paging = {
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageRules.most).default(pageRules.usual),
};
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({ list: z.array(row), total: z.int(), next: z.string().nullable() });

/** Why a field was refused: the key of a text in common.json under `field`. */
export const fieldErrors = z.record(z.string(), z.string());
