-- The audit log and its chain (decision 71).

-- The audit log. Rows are written in the transaction that they describe. A sealer chains them afterwards, one at a
-- time, so that transactions do not wait for each other: seq and hash are null until then. One partition holds the rows
-- of a year: retention drops whole years (decision 156).
create table audit (
  id bigint generated always as identity,
  institution_id uuid,
  user_id uuid,
  action text not null,
  subject text,
  detail jsonb not null default '{}',
  address text,
  request_id text,
  at timestamptz not null default clock_timestamp(),
  seq bigint,
  hash text,
  -- When the row was sealed, if that took longer than a minute; otherwise null.
  late_at timestamptz,
  -- A keyed seal has 43 characters. A seal without a key would have 64 and cannot enter the chain.
  constraint audit_keyed check (seq is null or length(hash) = 43),
  -- The operator searches the log of all organisations by time.
  primary key (at, id)
) partition by range (at);
select arcada_add_partitions();
-- The chain in its order. An index of a partitioned table could be unique only together with the time: the sealer's lock
-- keeps numbers unique, and verification finds one that occurs twice.
create index audit_by_seq on audit (seq, id) where seq is not null;
create index audit_unsealed on audit (id) where seq is null;
create index audit_by_institution on audit (institution_id, at desc);
-- Finds the entries about one subject; audit_by_institution lists them by time.
create index audit_by_subject on audit (institution_id, subject, at desc) where subject is not null;
-- Finds the entries by person and by area. Without these indexes, a search for a rare value would read the whole log.
create index audit_by_person on audit (institution_id, user_id, at desc);
create index audit_by_group on audit (institution_id, split_part(action, '.', 1), at desc);
-- The operator searches the log of all organisations by action.
create index audit_by_action on audit (action, at desc, id desc);
select arcada_wall('audit', 'institution_id is not distinct from arcada_iid() or user_id = arcada_uid()',
  'select, insert');
-- No role deletes entries.
revoke delete on audit from arcada_system;

-- Nobody but the owner of the database can change a sealed row.
create function arcada_sealed_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a sealed row of the audit trail cannot be changed' using errcode = 'restrict_violation';
end $$;
create trigger audit_sealed_stays before update or delete on audit
  for each row when (old.seq is not null) execute function arcada_sealed_stays();

-- From which row on which key seals. Rows before the first epoch were sealed without a key.
create table audit_epoch (
  rows bigint primary key,
  hash text not null,
  at timestamptz not null,
  key_id text not null,
  -- Why an operator began a new epoch; null if the chain or the key began here.
  reason text,
  mac text not null
);
select arcada_wall('audit_epoch', 'arcada_service()', 'select');

-- Rows that retention has dropped with their partition: an interval of the chain and the seal of its last row, from which
-- verification goes on. A year ends within a transaction, so a few intervals can belong to one partition.
create table audit_gap (
  first bigint primary key,
  last bigint not null check (last >= first),
  hash text not null,
  partition text not null,
  at timestamptz not null,
  key_id text not null,
  mac text not null
);
select arcada_wall('audit_gap', 'arcada_service()', 'select');

-- The latest head of the chain that was anchored outside this table (decision 71), for display and as another witness,
-- and when it was last sent by email.
create table audit_anchor (
  id int primary key check (id = 1),
  rows bigint not null,
  hash text not null,
  at timestamptz not null,
  key_id text not null,
  mac text not null,
  mailed_on date
);
select arcada_wall('audit_anchor', 'arcada_service()', 'select');

-- Verifications of the chain. `broken` is the number of the first row that does not fit.
create table audit_check (
  id uuid primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  rows bigint,
  broken bigint,
  fault text
);
create index audit_check_newest on audit_check (started_at desc);
select arcada_wall('audit_check', 'arcada_service()', 'select');
