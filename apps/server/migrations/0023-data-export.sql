-- Exports and imports of an organisation's data.

-- Exports of an organisation's data: everything as one archive, or a table. They are deleted after expires_at.
create table taking (
  institution_id uuid not null references institution,
  id uuid not null,
  kind text not null check (kind in ('everything', 'trail', 'orders', 'patients', 'fhir')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
  progress real not null default 0,
  language text not null,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint,
  refusal text,
  -- The request of a FHIR client.
  request jsonb,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (institution_id, id)
);
create unique index taking_once on taking (institution_id, kind)
  where kind in ('everything', 'fhir') and state in ('waiting', 'running');
create index taking_spent on taking (expires_at) where state = 'done';
select arcada_wall('taking', 'institution_id = arcada_iid()', 'select, insert, update');

-- The files of an export that has several: NDJSON of one type of FHIR resource each.
create table taking_file (
  institution_id uuid not null,
  taking_id uuid not null,
  place int not null,
  type text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null,
  lines int not null,
  primary key (institution_id, taking_id, place),
  foreign key (institution_id, taking_id) references taking on delete cascade
);
create index taking_file_content on taking_file (institution_id, sha256);
select arcada_wall('taking_file', 'institution_id = arcada_iid()');

-- Archives that the operator imports. `found` is the result of the check.
create table arrival (
  id uuid primary key,
  name text not null,
  bytes bigint not null check (bytes > 0),
  state text not null default 'sending'
    check (state in ('sending', 'checking', 'checked', 'importing', 'done', 'failed', 'cancelled')),
  progress real not null default 0,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  found jsonb,
  refusal text,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index arrival_newest on arrival (created_at desc);
select arcada_wall('arrival', 'false');

-- The audit log of the instance that wrote the archive. It stays out of this instance's own chain.
create table imported_audit (
  institution_id uuid not null references institution,
  id bigint not null,
  user_id uuid,
  action text not null,
  subject text,
  detail jsonb not null default '{}',
  address text,
  request_id text,
  at timestamptz not null,
  seq bigint,
  hash text,
  primary key (institution_id, id)
);
create index imported_audit_by_time on imported_audit (institution_id, at desc);
create index imported_audit_by_subject on imported_audit (institution_id, subject, at desc) where subject is not null;
select arcada_wall('imported_audit', 'institution_id = arcada_iid()', 'select');

-- Rows of an archive that belong to others: orders that the organisation received belong to their senders and are kept
-- as records only.
create table imported_row (
  institution_id uuid not null references institution,
  source text not null,
  place int not null,
  row jsonb not null,
  primary key (institution_id, source, place)
);
create index imported_row_by_id on imported_row (institution_id, source, (row ->> 'id'));
select arcada_wall('imported_row', 'institution_id = arcada_iid()', 'select');

-- Replaces the identifiers of people, since an archive names them by the identifiers of the instance that wrote it.
create function people_renamed(given jsonb, names jsonb) returns jsonb language plpgsql immutable as $$
declare
  text_of text := given::text;
  one record;
begin
  for one in select key, value from jsonb_each_text(names) loop
    text_of := replace(text_of, one.key, one.value);
  end loop;
  return text_of::jsonb;
end $$;
