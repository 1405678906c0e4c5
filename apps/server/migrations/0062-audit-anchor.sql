-- The chain of the audit trail is sealed under a key, and its head is anchored outside the table (decision 71).

-- When a row was sealed that had waited for longer than a minute; null where it was sealed in time.
alter table audit add column late_at timestamptz;

-- Keyed seals have 43 characters, the earlier ones 64. A program of an earlier version that still runs cannot append to the
-- new chain.
alter table audit add constraint audit_keyed check (seq is null or length(hash) = 43) not valid;

-- A sealed row stays as it is, for everybody but the owner of the database.
create function arcada_sealed_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a sealed row of the audit trail cannot be changed' using errcode = 'restrict_violation';
end $$;
create trigger audit_sealed_stays before update or delete on audit
  for each row when (old.seq is not null) execute function arcada_sealed_stays();
revoke delete on audit from arcada_system;

-- From which row on which key seals. Rows up to the first epoch were sealed by earlier versions, without a key.
create table audit_epoch (
  rows bigint primary key,
  hash text not null,
  at timestamptz not null,
  key_id text not null,
  -- Why an operator began a new epoch; null where the chain or the key began.
  reason text,
  mac text not null
);
select arcada_wall('audit_epoch', 'arcada_service()', 'select');

-- The latest head that was anchored, for display and as one more witness; and when it was sent by e-mail last.
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

alter table audit_check add column fault text;
