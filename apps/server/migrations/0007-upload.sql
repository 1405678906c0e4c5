-- Stored originals and uploads.

-- The originals of an organisation, each content once. Its storage usage is the sum of these rows.
create table stored_file (
  institution_id uuid not null references institution,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null default now(),
  primary key (institution_id, sha256)
);
create index stored_file_sizes on stored_file (institution_id) include (bytes);
create index stored_file_by_time on stored_file (institution_id, created_at) include (bytes);
select arcada_wall('stored_file', 'institution_id = arcada_iid()');

-- The row is written before the first byte arrives. open: bytes arrive; received: all bytes are here and hashed;
-- finished: the file is in the store.
create table upload (
  institution_id uuid not null references institution,
  id uuid not null,
  user_id uuid not null references users,
  name text not null,
  bytes bigint not null check (bytes >= 0),
  state text not null default 'open' check (state in ('open', 'received', 'finished')),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (institution_id, id),
  check ((state = 'open') = (sha256 is null)),
  check ((state = 'finished') = (finished_at is not null))
);
create index upload_unfinished on upload (created_at) where state <> 'finished';
create index upload_finished on upload (finished_at) where state = 'finished';
-- Finds the rows that still need a content before it is removed.
create index upload_by_content on upload (institution_id, sha256) where sha256 is not null;
-- Each upload asks whether more fits; an index-only scan of these rows answers.
create index upload_coming on upload (institution_id) include (bytes) where state <> 'finished';
-- Each upload counts what the same person has not sent completely.
create index upload_open_of on upload (institution_id, user_id)
  where state = 'open' or (state = 'received' and bytes = 0);
-- The scope is the organisation, not the user: uploads of colleagues count against the same storage.
select arcada_wall('upload', 'institution_id = arcada_iid()');

-- Contents that may be removed from a store. The row is written in the transaction that drops the last reference, so
-- that no crash leaves an unknown file behind.
create table unneeded (
  store_id uuid not null,
  area text not null check (area in ('originals', 'converted')),
  sha256 text not null,
  primary key (store_id, area, sha256)
);
select arcada_wall('unneeded', 'false');
