import { z } from "zod";

/** A record's identifier: UUID, made by the server. */
export const id = z.uuid();
/** Several of them in an address, with commas between. */
export const someIds = (most: number) =>
  z
    .string()
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
export const text = (most: number) => z.string().trim().max(most);
export const required = (most: number) => z.string().trim().min(1).max(most);
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
