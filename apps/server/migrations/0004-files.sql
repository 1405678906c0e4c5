-- The file store that belongs to this database; its sign lies in the store.
create table storage (id uuid primary key, made_at timestamptz not null default now());
select arcada_wall('storage', 'false', 'select');

-- Originals of an organisation, each content once: what its storage is counted by.
create table stored_file (
  institution_id uuid not null references institution,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null default now(),
  primary key (institution_id, sha256)
);
select arcada_wall('stored_file', 'institution_id = arcada_iid()');

-- The row is older than the first byte. open: bytes come; received: all are here and hashed; finished: in the store.
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
-- The wall is the organisation, not the user: what colleagues are sending counts against the same storage.
select arcada_wall('upload', 'institution_id = arcada_iid()');
