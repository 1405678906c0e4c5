import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import type { Database, Db } from "../platform/database/database.ts";
import { prepared } from "../platform/database/prepared-statements.ts";
import { dropExpiredPartitions } from "../platform/database/partitions.ts";
import { defineDeliveryQueue } from "../platform/backup/held-deliveries.ts";
import { publish } from "../platform/events/events.ts";
import type { PostResult } from "./webhook.post.ts";
import { webhookStopped } from "./integrations.events.ts";
import type { Column, Row } from "../tables/row.ts";

export interface DueDelivery {
  iid: string;
  webhook: string;
  id: string;
  body: string;
  url: string;
  secret: string;
  old_secret: string | null;
  tries: number;
  held_until: string;
}

// Longer than an attempt may take: after this time the process that held a delivery is dead, and another sends it.
const leaseSeconds = webhookRules.timeoutSeconds * 2 + 5;

/** In progress at once for one institution, of the 64 slots of a process: dead receivers leave the others to the rest. */
const ofOneInstitution = 16;

/**
 * Claims at most so many deliveries that are due. Institutions take turns; each endpoint has no more in progress than it
 * may, one that fails a single one; and of an institution's endpoints those that answer come first.
 */
export async function claimDueDeliveries(database: Database, most: number): Promise<DueDelivery[]> {
  // Planning the claim costs more than all else of a look that finds nothing, and there are some each second.
  const due = await database.queryAsSystem(sql`${prepared} select d.id from webhook_delivery d where ${isDue} limit 1`);
  return due.length === 0 ? [] : claimOfFreeEndpoints(database, most);
}

const claimOfFreeEndpoints = (database: Database, most: number): Promise<DueDelivery[]> =>
  database.asSystem(async (db) => {
    const inProgress = (condition: RawBuilder<unknown>) => sql`(select count(*) from webhook_delivery b
      where ${condition} and b.state = 'waiting' and b.held_until > now())`;
    const mayHave = sql`case when w.failing_since is null then ${webhookRules.atOnce}::int else 1 end`;
    // Endpoints that may have no more in progress would take the places of those that may: a large instance has many dead
    // ones. Only the holder of an endpoint's row lock counts the deliveries that are under way there; the next statement sees
    // what earlier holders wrote.
    const free = await sql<
      Row<"webhook", "id"> & { iid: Column<"webhook", "institution_id"> }
    >`select w.institution_id as iid, w.id from webhook w
      where (w.institution_id, w.id) in (select institution_id, id from (
          select w.institution_id, w.id,
            row_number() over (partition by w.institution_id order by w.failing_since nulls first, w.id) as turn
          from webhook w where w.state = 'on' and exists (select from webhook_delivery d
            where d.institution_id = w.institution_id and d.webhook_id = w.id and ${isDue})
            and ${inProgress(sql`b.institution_id = w.institution_id and b.webhook_id = w.id`)} < ${mayHave}
            and ${inProgress(sql`b.institution_id = w.institution_id`)} < ${ofOneInstitution}::int) due
        order by turn, random() limit ${most})
        and w.state = 'on' order by w.id for update skip locked`.execute(db);
    if (free.rows.length === 0) return [];
    const ids = free.rows.map(({ id }) => id);
    const { rows } =
      await sql<DueDelivery>`update webhook_delivery taken set tries = taken.tries + 1, last_try_at = now(),
        held_until = now() + make_interval(secs => ${leaseSeconds})
      from (select * from (
          select w.institution_id, w.id as webhook, w.url, w.secret,
            case when w.old_secret_until > now() then w.old_secret end as old_secret, d.id,
            row_number() over (partition by w.institution_id order by d.place, w.failing_since nulls first, w.id) as turn
          from webhook w, lateral (select d.id, row_number() over (order by d.next_at, d.id) as place
            from webhook_delivery d where d.institution_id = w.institution_id and d.webhook_id = w.id and ${isDue}
            order by d.next_at, d.id
            limit greatest(0, ${mayHave}
              - ${inProgress(sql`b.institution_id = w.institution_id and b.webhook_id = w.id`)})) d
          where w.id = any(${ids}::uuid[])) ranked
        where turn <= ${ofOneInstitution}::int - ${inProgress(sql`b.institution_id = ranked.institution_id`)}
        order by turn limit ${most}) due
      where taken.institution_id = due.institution_id and taken.id = due.id
      returning due.institution_id as iid, due.webhook, taken.id, taken.body, due.url, due.secret, due.old_secret,
        taken.tries, taken.held_until::text`.execute(db);
    return rows;
  });

/** Deliveries that waited at the moment of a restored backup. */
export const webhookDeliveries = defineDeliveryQueue(
  "arcada_system",
  "webhook_delivery",
  ["next_at"],
  "state = 'waiting'",
);

const isDue = sql`d.state = 'waiting' and d.next_at <= now() and (d.held_until is null or d.held_until <= now())`;

/** Records the result of an attempt. The result of a process that was considered dead in the meantime is ignored. */
export const recordAttempt = (database: Database, due: DueDelivery, result: PostResult): Promise<void> =>
  database.asSystem(async (db) => {
    const isDone = result.status !== null && result.status >= 200 && result.status < 300;
    // 410: the receiver wants no more deliveries.
    const delay = result.status === 410 ? undefined : webhookRules.delays[due.tries - 1];
    const state = isDone ? "delivered" : delay === undefined ? "failed" : "waiting";
    // Spread at random, so that the deliveries that waited for one receiver do not all return at the same moment.
    const seconds = (delay ?? 0) * (1 + Math.random() / 10);
    const kept = await sql`update webhook_delivery set state = ${state}, held_until = null, status = ${result.status},
        milliseconds = ${result.milliseconds}, problem = ${result.problem}, next_at = now() + make_interval(secs => ${seconds})
      where institution_id = ${due.iid} and id = ${due.id} and held_until = ${due.held_until}::timestamptz`.execute(db);
    if (kept.numAffectedRows === 0n) return;
    await sql`update webhook set delivered_at = case when ${isDone} then now() else delivered_at end,
        failing_since = case when ${isDone} then null else coalesce(failing_since, now()) end
      where institution_id = ${due.iid} and id = ${due.webhook}`.execute(db);
    if (state === "failed") await stopEndpoint(db, due, result.status === 410);
  });

/** Stops an endpoint to which nothing was delivered since the delivery that was given up was created. */
async function stopEndpoint(db: Db, due: DueDelivery, isGone: boolean): Promise<void> {
  const { rows } = await sql<
    Row<"webhook", "name"> & { institution: Column<"institution", "name"> }
  >`update webhook w set state = 'stopped'
    from webhook_delivery d, institution i where w.institution_id = ${due.iid} and w.id = ${due.webhook} and w.state = 'on'
      and d.institution_id = w.institution_id and d.id = ${due.id} and i.id = w.institution_id
      and (${isGone} or w.delivered_at is null or w.delivered_at < d.created_at)
    returning w.name, i.name as institution`.execute(db);
  const stopped = rows[0];
  if (!stopped) return;
  await sql`update webhook_delivery set state = 'failed', problem = 'stopped' where institution_id = ${due.iid}
    and webhook_id = ${due.webhook} and state = 'waiting'`.execute(db);
  await publish(db, webhookStopped, { institution: due.iid, webhook: stopped.name });
}

/** Drops the weeks of which every delivery is older than the log; a delivery is given up long before. */
export const dropOldDeliveries = (database: Database): Promise<number> =>
  dropExpiredPartitions(database, "webhook_delivery", `${webhookRules.logDays} days`);
