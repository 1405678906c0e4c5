-- Logos of the reports, among the converted files of the organisation. A stub is known from an archive alone: another
-- organisation's partner, which nobody here works in.
alter table institution add column logo_cover text check (logo_cover ~ '^[0-9a-f]{64}$');
alter table institution add column logo_inside text check (logo_inside ~ '^[0-9a-f]{64}$');
alter table institution add column stub boolean not null default false;

-- The trail by what it speaks of; by time it is read with audit_by_institution.
create index audit_by_subject on audit (institution_id, subject, at desc) where subject is not null;

-- Files that an organisation takes away: everything as one archive, or its audit trail as a table. Gone after expires_at.
create table taking (
  institution_id uuid not null references institution,
  id uuid not null,
  kind text not null check (kind in ('everything', 'trail')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
  progress real not null default 0,
  language text not null,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint,
  refusal text,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (institution_id, id)
);
create unique index taking_once on taking (institution_id) where kind = 'everything' and state in ('waiting', 'running');
create index taking_spent on taking (expires_at) where state = 'done';
select arcada_wall('taking', 'institution_id = arcada_iid()', 'select, insert, update');

-- Archives that the operator brings in. `found` is what the check says of one.
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

-- The audit trail as another instance had it: this instance's own chain stays whole.
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

-- What an archive holds besides its owner's own rows: orders that it received belong to their senders and stay records.
create table imported_row (
  institution_id uuid not null references institution,
  source text not null,
  place int not null,
  row jsonb not null,
  primary key (institution_id, source, place)
);
create index imported_row_by_id on imported_row (institution_id, source, (row ->> 'id'));
select arcada_wall('imported_row', 'institution_id = arcada_iid()', 'select');

-- Imported orders keep their numbers: the sequence goes on behind them.
grant update on sequence order_number to arcada_system;
