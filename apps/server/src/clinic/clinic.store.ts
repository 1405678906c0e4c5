import { sql } from "kysely";
import { z } from "zod";
import { beyondWall } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { refuse } from "../kernel/refuse.ts";

interface ClinicRow {
  id: string;
  name: string;
  /** As the list is ordered by it. */
  sort_name: string;
  number: string;
  country: string;
  address: string | null;
  contact_person: string | null;
  contact_way: string | null;
  created_at: string;
  members: number;
}
interface Place {
  name: string;
  id: string;
}

/** The clinics of the platform after a place in the order of their names. Members are counted beyond the wall: their number alone is told. */
export const clinicsOf = (
  db: Db,
  { search, after, most }: { search: string; after: Place | null; most: number },
): Promise<ClinicRow[]> =>
  beyondWall(
    db,
    async () =>
      (
        await sql<ClinicRow>`select i.id, i.name, ${sortName} as sort_name, i.number, i.country, i.address, i.contact_person, i.contact_way, i.created_at,
          (select count(*)::int from membership m where m.institution_id = i.id and m.state = 'normal') as members
        from institution i where ${isClinic(search)}
          and ${after ? sql`(${sortName}, i.id) > (${after.name}, ${after.id}::uuid)` : sql`true`}
        order by ${sortName}, i.id limit ${most}`.execute(db)
      ).rows,
  );

export async function countClinics(db: Db, search: string): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from institution i where ${isClinic(search)}`.execute(db);
  return rows[0]!.count;
}

const sortName = sql`lower(i.name) collate "C"`;
const isClinic = (search: string) =>
  sql`i.type = 'clinic' and not i.stub and ${search === "" ? sql`true` : found(search)}`;
function found(search: string) {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(lower(i.name) like ${pattern} or i.number like ${pattern} or lower(i.address) like ${pattern}
    or lower(i.contact_person) like ${pattern} or i.contact_way like ${pattern})`;
}

export const writeCursor = ({ sort_name, id }: Pick<ClinicRow, "sort_name" | "id">): string =>
  Buffer.from(JSON.stringify([sort_name, id])).toString("base64url");

const cursorShape = z.tuple([z.string(), z.uuid()]);
export function readCursor(cursor: string | undefined): Place | null {
  if (!cursor) return null;
  const read = cursorShape.safeParse(parsed(Buffer.from(cursor, "base64url").toString()));
  if (!read.success) return refuse("badInput", { cursor: "cursorUnknown" });
  const [name, id] = read.data;
  return { name, id };
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
