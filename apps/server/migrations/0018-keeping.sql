-- A job that makes a study's files for viewers once more, of originals that are here already.
alter table ingest_job add column again boolean not null default false;

-- What is looked for once a day: what lay in the bin or was not used for long.
create index study_binned on study (deleted_at) where deleted_at is not null;
create index study_unused on study (used_at) where state = 'ready' and deleted_at is null;
create index patient_binned on patient (deleted_at) where deleted_at is not null;
create index notice_by_age on notice (created_at);

-- Who still needs a content, before it is let go.
create index upload_by_content on upload (institution_id, sha256) where sha256 is not null;
create index study_by_thumbnail on study (institution_id, thumbnail) where thumbnail is not null;
create index ingest_content_by_content on ingest_content (institution_id, sha256);

-- What may go from a store: written in the transaction that lets it go, so that no crash leaves a content that nobody knows.
create table unneeded (
  store_id uuid not null,
  area text not null check (area in ('originals', 'converted')),
  sha256 text not null,
  primary key (store_id, area, sha256)
);
select arcada_wall('unneeded', 'false');

-- A reading of all stored files that compares them with their names; one that was interrupted goes on after its place.
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

-- Stored files that a reading found broken or missing and that nobody can make again. store_id says in whose store: an
-- organisation's, or a person's.
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
