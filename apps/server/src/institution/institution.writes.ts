import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../platform/database/database.ts";

/**
 * Inserts stubs, by which rows refer to institutions that are not active here; one that exists is not changed.
 * @param stubs a query of id, number, name, type, country and created_by
 */
export const insertStubs = (db: Db, stubs: RawBuilder<unknown>) =>
  sql`insert into institution (id, number, name, type, country, created_by, stub)
    select stubs.*, true from (${stubs}) stubs on conflict (id) do nothing`.execute(db);

/**
 * Inserts an institution from an archive, or gives its stub the archive's values; one that is active is not changed.
 * @param values a query of one row of these columns
 */
export const insertOrReplaceStub = (db: Db, columns: readonly string[], values: RawBuilder<unknown>) =>
  sql`insert into institution (${sql.join(columns.map((column) => sql.ref(column)))}, stub)
    select archived.*, false from (${values}) archived
    on conflict (id) do update set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))},
      stub = false where institution.stub`.execute(db);
