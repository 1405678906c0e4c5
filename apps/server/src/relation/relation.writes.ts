import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Ends the relationships of an institution that are under way and that its own archive does not contain. */
export const endRelationsExcept = (db: Db, iid: string, known: RawBuilder<unknown>) =>
  sql`update relation set state = 'ended' where ${iid}::uuid in (institution_id, target_id)
    and state in ('requested', 'established', 'closing') and not exists (select from (${known}) known (id) where known.id = relation.id::text)`.execute(
    db,
  );

/**
 * Requests relationships; one that exists, or that two institutions already have, is not changed.
 * @param requests a query of id, institution_id, target_id and requested_by
 */
export const requestRelations = (db: Db, requests: RawBuilder<unknown>) =>
  sql`insert into relation (id, institution_id, target_id, requested_by, state)
    select r.id, r.institution_id, r.target_id, r.requested_by, 'requested' from (${requests}) r
    where not exists (select from relation known where known.id = r.id) on conflict do nothing`.execute(db);
