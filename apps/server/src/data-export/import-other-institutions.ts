import { sql } from "kysely";
import { insertStubs } from "../institution/institution.writes.ts";
import { replaceReceiver } from "../order/order.writes.ts";
import { endRelationsExcept } from "../relation/relation.writes.ts";
import type { Db } from "../platform/database/database.ts";

/** The id of the stub by which `ofId` refers to an institution that has not agreed to be named: always the same one. */
const stubId = (ofId: ReturnType<typeof sql>, id: ReturnType<typeof sql>) =>
  sql`md5(${ofId}::text || ${id}::text)::uuid`;
const stubNumber = (number: ReturnType<typeof sql>, id: ReturnType<typeof sql>) =>
  sql`${number} || '-' || left(md5(${id}::text), 8)`;

/**
 * Maps the other institutions of the archive to institutions here. An unknown institution becomes a stub: name and
 * number, without members. If an institution is active here, rows point at a stub of the same name instead, until that
 * institution confirms them.
 */
export async function importInstitutions(db: Db, iid: string): Promise<void> {
  await sql`create temp table arriving_house on commit drop as
    select r.id as from_id, coalesce(not here.stub, false) as living,
      case when not here.stub then ${stubId(sql`${iid}::uuid`, sql`r.id`)} else r.id end as to_id,
      left(r.number, 40) as number, left(r.name, 200) as name, r.type, left(r.country, 2) as country
    from arriving a cross join lateral jsonb_populate_record(null::institution, a.row) r
    left join institution here on here.id = r.id
    where a.source = 'other_institution' and r.id <> ${iid}`.execute(db);
  await sql`create unique index on arriving_house (from_id)`.execute(db);
  await insertStubs(
    db,
    sql`select h.to_id, case when h.living or exists (select from institution known where known.number = h.number)
        then ${stubNumber(sql`h.number`, sql`h.to_id`)} else h.number end,
      h.name, h.type, h.country, i.created_by
      from arriving_house h join institution i on i.id = ${iid}`,
  );
}

/**
 * Clears the records that others made about this institution before its import: orders that its own archive does not
 * know move to a stub of its name, and relationships that it does not know end.
 */
export async function releaseStub(db: Db, iid: string): Promise<void> {
  const unconfirmed = sql`o.receiver_id = ${iid}::uuid and not exists (select from arriving a where a.source = 'received_orders'
    and a.row ->> 'id' = o.id::text and a.row ->> 'institution_id' = o.institution_id::text)`;
  await insertStubs(
    db,
    sql`select distinct ${stubId(sql`o.institution_id`, sql`i.id`)}, ${stubNumber(sql`i.number`, stubId(sql`o.institution_id`, sql`i.id`))},
      i.name, i.type, i.country, i.created_by
      from orders o join institution i on i.id = ${iid} where ${unconfirmed}`,
  );
  await replaceReceiver(db, stubId(sql`o.institution_id`, sql`o.receiver_id`), unconfirmed);
  await endRelationsExcept(db, iid, sql`select a.row ->> 'id' from arriving a where a.source = 'relation'`);
}
