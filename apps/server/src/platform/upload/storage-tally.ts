import { sql } from "kysely";
import { compactTally } from "../database/compact-tally.ts";
import type { Database, Db } from "../database/database.ts";
import { logEvent } from "../telemetry/log.ts";
import type { Column, Row } from "../../tables/row.ts";

/** Combines the rows of `storage_tally`: three kinds leave three rows of an institution. */
export const compactStorageTally = (database: Database): Promise<number> =>
  compactTally(database, { table: "storage_tally", keys: ["kind"], sums: ["files", "bytes"], above: 24 });

/** The difference by which an institution's tally was too small for a kind; negative: too large. */
export type TallyDrift = Row<"storage_tally", "kind" | "files" | "bytes"> & {
  institution: Column<"storage_tally", "institution_id">;
};

const pageSize = 500;

/**
 * Compares the tally of every institution with the rows that it sums, and adds the difference. Returns what it
 * corrected; each correction is logged, since only a change that bypassed the triggers causes one.
 */
export async function repairStorageTally(database: Database, signal?: AbortSignal): Promise<TallyDrift[]> {
  const repaired: TallyDrift[] = [];
  for (let after: string | null = null; ;) {
    const page = await database.asSystem((db) => listInstitutionIds(db, after));
    for (const institution of page) {
      signal?.throwIfAborted();
      repaired.push(...(await database.asSystem((db) => addDifference(db, institution))));
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last;
  }
  for (const drift of repaired)
    logEvent("error", "storage tally", "differed from the files and was corrected", { ...drift });
  return repaired;
}

const listInstitutionIds = async (db: Db, after: string | null): Promise<string[]> => {
  const rows = await db
    .selectFrom("institution")
    .select("id")
    .$if(after !== null, (query) => query.where("id", ">", after!))
    .orderBy("id")
    .limit(pageSize)
    .execute();
  return rows.map(({ id }) => id);
};

/**
 * One statement sees one snapshot: every transaction has written its rows and their tally in it, or neither. The
 * difference stays right whatever is written meanwhile, because it is added like any other row.
 */
async function addDifference(db: Db, institution: string): Promise<TallyDrift[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada storage tally ${institution}`}, 0))`.execute(db);
  const { rows } = await sql<TallyDrift>`with present as (
      select 'originals' as kind, count(*) as files, coalesce(sum(bytes), 0) as bytes from stored_file where institution_id = ${institution}
      union all select 'converted', count(*), coalesce(sum(bytes), 0) from converted_file where institution_id = ${institution}
      union all select 'uploads', count(*), coalesce(sum(bytes), 0) from upload where institution_id = ${institution} and state <> 'finished'
    ), counted as (select kind, sum(files) as files, sum(bytes) as bytes from storage_tally where institution_id = ${institution} group by kind)
    insert into storage_tally (institution_id, kind, files, bytes)
      select ${institution}::uuid, kind, p.files - coalesce(c.files, 0), p.bytes - coalesce(c.bytes, 0)
      from present p left join counted c using (kind)
      where p.files <> coalesce(c.files, 0) or p.bytes <> coalesce(c.bytes, 0)
    returning institution_id as institution, kind, files, bytes`.execute(db);
  return rows;
}
