-- Roles: the pool works as arcada_app, walled by row-level security; arcada_system is for what belongs to no single
-- organisation (sign-in, hand-over between two organisations, sweepers). Roles belong to the whole cluster, so another
-- database may have made them already.
do $$
begin
  if not exists (select from pg_roles where rolname = 'arcada_app') then create role arcada_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'arcada_system') then create role arcada_system nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;
-- Who was given them already may lack the right to give them.
do $$
begin
  if not (pg_has_role('arcada_app', 'usage') and pg_has_role('arcada_system', 'usage')) then
    execute format('grant arcada_app, arcada_system to %I', current_user);
  end if;
end $$;
grant usage on schema public to arcada_app, arcada_system;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Who asks, set for one transaction. An empty setting is nobody.
create function arcada_iid() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('arcada.iid', true), '')::uuid $$;
create function arcada_uid() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('arcada.uid', true), '')::uuid $$;

-- Walls a table: row-level security also for its owner, everything for arcada_system, `rule` for arcada_app.
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

-- The audit trail. Rows are written in the transaction that they speak of; a sealer chains them afterwards, one at a
-- time, so that readers do not wait for each other: seq and hash are null until then.
create table audit (
  id bigint generated always as identity primary key,
  institution_id uuid,
  user_id uuid,
  action text not null,
  subject text,
  detail jsonb not null default '{}',
  address text,
  request_id text,
  at timestamptz not null default clock_timestamp(),
  seq bigint unique,
  hash text
);
create index audit_unsealed on audit (id) where seq is null;
create index audit_by_institution on audit (institution_id, at desc);
select arcada_wall('audit', 'institution_id is not distinct from arcada_iid() or user_id = arcada_uid()', 'select, insert');

-- The first answer of a command, for those who send the same key again.
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

-- One row that readiness checks write.
create table readiness (id int primary key, at timestamptz not null);
select arcada_wall('readiness', 'false');
