-- Copies of the sender's files without names, made for the receiver of an order that hides them; made again when they
-- were let go.
create table cleaned_file (
  -- In whose store both lie.
  institution_id uuid not null references institution,
  order_id uuid not null,
  original text not null check (original ~ '^[0-9a-f]{64}$'),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  used_at timestamptz not null default now(),
  primary key (institution_id, order_id, original)
);
create index cleaned_file_by_content on cleaned_file (institution_id, sha256);
create index cleaned_file_unused on cleaned_file (used_at);
select arcada_wall('cleaned_file', 'institution_id = arcada_iid()');

-- An archive of studies on its way to somebody's disk; it is written as it is read, and lies nowhere.
create table study_download (
  institution_id uuid not null references institution,
  id uuid not null,
  user_id uuid not null references users,
  -- Whose the studies are, and the order that brings them where they are another's.
  owner_id uuid not null references institution,
  order_id uuid,
  studies uuid[] not null,
  -- Null: the files as they came.
  nameless jsonb,
  language text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  files int not null,
  done int not null default 0,
  created_at timestamptz not null default now(),
  primary key (institution_id, id)
);
create index study_download_by_age on study_download (created_at);
select arcada_wall('study_download', 'institution_id = arcada_iid()', 'select, insert, update');
