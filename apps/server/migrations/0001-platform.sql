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
