import type { Selectable } from "kysely";
import type { Tables } from "./schema.generated.ts";

/** The columns of a table as a query returns them: raw SQL that selects plain columns needs no hand-written types. */
export type Row<
  Table extends keyof Tables,
  Column extends keyof Selectable<Tables[Table]> = keyof Selectable<Tables[Table]>,
> = Pick<Selectable<Tables[Table]>, Column>;

/** One column as a query returns it, for a result that names it differently. */
export type Column<Table extends keyof Tables, Name extends keyof Selectable<Tables[Table]>> = Selectable<
  Tables[Table]
>[Name];
