-- Roles, the tenant scope and the tables of the platform itself.

-- The connection pool works as arcada_app, which row-level security binds to the tenant scope. arcada_system does the
-- work that belongs to no single organisation: sign-in, the hand-over between two organisations, sweepers. Roles belong
-- to the whole cluster, so another database may have created them already.
do $$
begin
  if not exists (select from pg_roles where rolname = 'arcada_app') then create role arcada_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'arcada_system') then create role arcada_system nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;

-- A user who already has both roles may lack the right to grant them.
do $$
begin
  if not (pg_has_role('arcada_app', 'usage') and pg_has_role('arcada_system', 'usage')) then
    execute format('grant arcada_app, arcada_system to %I', current_user);
  end if;
end $$;
grant usage on schema public to arcada_app, arcada_system;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The organisation and the user of the request, set for one transaction. An empty setting means nobody.
create function arcada_iid() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('arcada.iid', true), '')::uuid $$;
create function arcada_uid() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('arcada.uid', true), '')::uuid $$;

-- After-sales staff work outside every organisation. This setting holds for one transaction, like the two above.
-- Policies of the tables of the service name arcada_service(); those of patients, images and orders never do.
create function arcada_service() returns boolean language sql stable parallel safe
  as $$ select current_setting('arcada.service', true) = 'on' $$;

-- Puts a table into the tenant scope: row-level security that also binds the table's owner, full access for
-- arcada_system, and `rule` for arcada_app.
create function arcada_wall(name regclass, rule text, rights text default 'select, insert, update, delete')
  returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('grant select, insert, update, delete on %s to arcada_system', name);
  execute format('grant %s on %s to arcada_app', rights, name);
  execute format('create policy all_for_system on %s to arcada_system using (true) with check (true)', name);
  execute format('create policy own on %s to arcada_app using (%s) with check (%s)', name, rule, rule);
end $$;

-- The tables that are partitioned by time (decision 156): the length of a partition, how many are made ahead of the
-- current one, and the age that a partition has at least before it may be dropped.
create function arcada_partitioned() returns table (name text, step text, ahead int, kept interval)
  language sql immutable parallel safe as $$
  values ('audit', 'year', 2, interval '1 year'), ('webhook_delivery', 'week', 8, interval '1 week')
$$;

-- The partitions of a table, the oldest first: begins <= time < ends.
create function arcada_partitions(parent regclass)
  returns table (name text, begins timestamptz, ends timestamptz, relation regclass) language sql stable as $$
  select c.relname::text, (bounds)[1]::timestamptz, (bounds)[2]::timestamptz, c.oid::regclass
  from pg_inherits h join pg_class c on c.oid = h.inhrelid,
    lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \('([^']+)'\) TO \('([^']+)'\)$re$) bounds
  where h.inhparent = parent and bounds is not null order by 2
$$;

-- Makes the partition for an instant; returns false if it exists. Boundaries lie at midnight UTC. The partition is
-- filled as a table of its own and then attached, because "partition of" would lock the readers of the parent out. Roles
-- have no rights on it and no policy names it: rows are reached through the parent and its policies alone. The parent is
-- compared by its oid: everybody can make a temporary table of the same name.
create function arcada_add_partition(parent regclass, at timestamptz) returns boolean
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC'
  set lock_timeout = '3s' as $$
declare
  rule record;
  begins timestamptz;
  ends timestamptz;
  child text;
begin
  select p.* into strict rule from arcada_partitioned() p where to_regclass('public.' || p.name) = parent;
  begins := date_trunc(rule.step, at);
  ends := begins + ('1 ' || rule.step)::interval;
  child := rule.name || to_char(begins, case rule.step when 'year' then '_YYYY' else '_YYYY_MM_DD' end);
  perform pg_advisory_xact_lock(hashtext('arcada_partition ' || rule.name));
  if to_regclass('public.' || child) is not null then return false; end if;
  execute format('create table public.%I (like %s including defaults including constraints including storage)',
    child, parent);
  execute format('alter table public.%I enable row level security', child);
  execute format('alter table public.%I force row level security', child);
  execute format('alter table %s attach partition public.%I for values from (%L) to (%L)', parent, child, begins, ends);
  return true;
end $$;

-- Makes the partitions of each table from the one before the current one, into which a clock may step back, to those
-- ahead; returns the number of new ones.
create function arcada_add_partitions() returns int
  language sql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' as $$
  select count(*)::int from arcada_partitioned() p, generate_series(-1, p.ahead) place
  where case when to_regclass('public.' || p.name) is null then false
    else arcada_add_partition(to_regclass('public.' || p.name), now() + place * ('1 ' || p.step)::interval) end
$$;

-- Drops one partition, at an age at which the table permits it: the child of this parent, whatever else has its name.
-- Entries of the audit log leave gaps that the server signs: each entry must be sealed and lie in a gap that this
-- transaction has recorded. The lock keeps out entries that others move into the partition meanwhile.
create function arcada_drop_partition(parent regclass, child text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC'
  set lock_timeout = '3s' as $$
declare
  expired record;
begin
  select rule.name as rule, one.* into expired from arcada_partitioned() rule, arcada_partitions(parent) one
  where to_regclass('public.' || rule.name) = parent and one.name = child and one.ends <= now() - rule.kept;
  if not found then
    raise exception 'the partition % of % may not be dropped', child, parent using errcode = 'restrict_violation';
  end if;
  if expired.rule = 'audit' then
    execute format('lock table %s in share mode', expired.relation);
    -- An owner who is not a superuser sees the entries through the policy of arcada_system.
    if not pg_has_role('arcada_system', 'usage') or exists (
      select from public.audit entry where entry.at >= expired.begins and entry.at < expired.ends and not exists (
        select from public.audit_gap gap where gap.partition = child and gap.xmin = pg_current_xact_id()::xid
          and entry.seq between gap.first and gap.last))
    then
      raise exception 'entries of the partition % are not in a gap', child using errcode = 'restrict_violation';
    end if;
  end if;
  execute format('drop table %s', expired.relation);
end $$;
revoke execute on function arcada_add_partition(regclass, timestamptz), arcada_add_partitions(),
  arcada_drop_partition(regclass, text) from public;
grant execute on function arcada_add_partition(regclass, timestamptz), arcada_add_partitions(),
  arcada_drop_partition(regclass, text) to arcada_system;

-- The first answer of a command, returned to clients that send the same key again.
create table idempotency (
  user_id uuid not null,
  key text not null,
  call text not null,
  fingerprint text not null,
  answer jsonb,
  at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_age on idempotency (at);
select arcada_wall('idempotency', 'user_id = arcada_uid()');

-- The readiness check writes this one row.
create table readiness (
  id int primary key,
  at timestamptz not null
);
select arcada_wall('readiness', 'false');

-- Settings that the operator makes in the browser and that no environment variable sets.
create table installation_setting (
  name text primary key check (name in ('publicUrl')),
  value text not null,
  changed_at timestamptz not null default now()
);
select arcada_wall('installation_setting', 'false');

-- What is done again and again beside the queues, and when each of it last succeeded in any process.
create table repeated_task (
  name text primary key,
  every_seconds double precision not null,
  -- The age of the last success from which on the task counts as late.
  tolerated_seconds double precision not null,
  registered_at timestamptz not null default now(),
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- Failures since the last success.
  failures int not null default 0,
  error text
);
select arcada_wall('repeated_task', 'false');

-- The file store that belongs to this database. The store holds a file with the same id.
create table storage (
  id uuid primary key,
  made_at timestamptz not null default now()
);
select arcada_wall('storage', 'false', 'select');

-- The backups and the verifications of backups that have ended, and how. A row of a failure has a fault and no name.
create table backup_run (
  id uuid primary key,
  kind text not null check (kind in ('create', 'verify')),
  target text not null,
  -- The name of the backup in its target.
  name text,
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  ok boolean not null,
  files bigint,
  bytes bigint,
  fault text
);
create index backup_run_newest on backup_run (kind, finished_at desc);
select arcada_wall('backup_run', 'false', 'select');

-- Counts the emails that were sent to one address on one day at the request of any organisation. Nobody is named:
-- `recipient` is a keyed hash of the address.
create table letter_count (
  day date not null,
  recipient text not null check (recipient ~ '^[0-9a-f]{64}$'),
  sent int not null check (sent > 0),
  primary key (day, recipient)
);
select arcada_wall('letter_count', 'false');

-- The public half of a key that each web process keeps in memory. Codes are encrypted to it, so that a copy of the
-- database cannot reveal them.
create table code_key (
  process uuid primary key,
  public_key text not null,
  seen_at timestamptz not null default now()
);
select arcada_wall('code_key', 'false');
