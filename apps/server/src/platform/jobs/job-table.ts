import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { lockNotAvailable, lockWait } from "../database/migrate.ts";

/**
 * Adds to the tables of pg-boss what our transactions need of them, once and in one process. What is there already locks
 * no table: everybody who sends or ends a job would wait behind a lock that waits for a long transaction.
 */
export async function prepareJobTable(boss: PgBoss): Promise<void> {
  for (let attemptsLeft = lockWait.attempts - 1; ; attemptsLeft--)
    try {
      return void (await boss.getDb().executeSql(preparation));
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || attemptsLeft === 0) throw error;
      await sleep(lockWait.pauseMs);
    }
}

/** Jobs are sent inside transactions of the tenant-scoped roles; these may add a job and see its id, nothing else. */
const grants = `if not has_column_privilege('arcada_app', 'pgboss.job_common', 'start_after', 'select') then
    grant usage on schema pgboss to arcada_app, arcada_system;
    grant select on pgboss.queue to arcada_app, arcada_system;
    grant insert, select (id, start_after) on pgboss.job_common to arcada_app, arcada_system;
  end if;`;

/**
 * The jobs of a queue take turns between groups; without a group of its own, a job belongs to the institution of the
 * transaction that sends it. Each job gets the number of a round as its priority, by start-time fair queuing (Goyal,
 * Vin, Cheng 1996): the round after the last waiting job of its flow, but no earlier than the round that is being
 * served. A flow is a group, or the bulk jobs of a group, which come last in a round. While a bulk job waits, a flow has
 * one turn in a round, whether or not its last job is done: otherwise two groups that each send a job when the former
 * one is done would keep the round open, and the bulk job would wait for ever. All lookups read one end of an index,
 * however many jobs wait. The function is replaced at each start, as it may be the one of an earlier version.
 */
const turns = `drop index if exists pgboss.arcada_job_flow;
  if to_regclass('pgboss.arcada_job_turn') is null then
    create index arcada_job_turn on pgboss.job_common (name, group_id, coalesce(group_tier, ''), created_on desc, priority)
      where group_id is not null;
  end if;
  if to_regclass('pgboss.arcada_job_bulk') is null then
    create index arcada_job_bulk on pgboss.job_common (name, priority desc, created_on)
      where state = 'created' and group_tier = 'bulk';
  end if;
  create or replace function pgboss.arcada_turn() returns trigger language plpgsql security definer set search_path = pgboss as $turn$
  declare served int; own int; bulk_since timestamptz;
  begin
    new.group_id := coalesce(new.group_id, nullif(current_setting('arcada.iid', true), ''));
    if new.group_id is null or new.state <> 'created' then return new; end if;
    -- Jobs that wait for a later attempt keep an earlier round and are passed over.
    -- The order of both is the same, so that the first job that is due ends the search.
    select first.priority >> 1 into served from (select priority, start_after from job_common
        where name = new.name and state < 'active' and not blocked order by priority desc, created_on limit 100) first
      where first.start_after <= now() order by first.priority desc limit 1;
    -- Rounds are counted on as long as a job waits: those since this time are comparable.
    select greatest(created_on, start_after) into bulk_since from job_common
      where name = new.name and state = 'created' and group_tier = 'bulk' and start_after <= now()
      order by priority desc, created_on limit 1;
    select case when last.state < 'active' or last.created_on >= bulk_since then last.priority >> 1 end into own
      from (select priority, state, created_on from job_common where name = new.name and group_id = new.group_id
          and coalesce(group_tier, '') = coalesce(new.group_tier, '') order by created_on desc, priority limit 1) last;
    new.priority := least(coalesce(served, 0), coalesce(own - 1, 0)) * 2 + case when new.group_tier = 'bulk' then 0 else 1 end;
    return new;
  end $turn$;
  if not exists (select from pg_trigger where tgrelid = 'pgboss.job_common'::regclass and tgname = 'arcada_turn') then
    create trigger arcada_turn before insert on pgboss.job_common for each row execute function pgboss.arcada_turn();
  end if;`;

const preparation = `do $prepare$ begin
  perform pg_advisory_xact_lock(hashtextextended('arcada jobs', 0));
  set local lock_timeout = ${lockWait.limitMs};
  ${grants}
  ${turns}
end $prepare$`;
