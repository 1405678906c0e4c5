-- Verification of the stored files.

-- Reads all stored files and compares their contents with their hashes. An interrupted run continues after `place`.
create table scrub (
  id uuid primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  place text not null default '',
  files bigint not null default 0,
  bytes bigint not null default 0,
  broken int not null default 0,
  missing int not null default 0
);
create unique index scrub_once on scrub ((true)) where finished_at is null;
select arcada_wall('scrub', 'false', 'select');

-- Stored files that the scrub found broken or missing and that cannot be derived again. store_id names the store of an
-- organisation or of a person.
create table file_fault (
  store_id uuid not null,
  area text not null check (area in ('originals', 'converted')),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  fault text not null check (fault in ('broken', 'missing')),
  found_at timestamptz not null default now(),
  told_at timestamptz,
  primary key (store_id, area, sha256)
);
create index file_fault_untold on file_fault (found_at) where told_at is null;
select arcada_wall('file_fault', 'store_id = arcada_iid()');
