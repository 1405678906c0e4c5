-- Stored originals and uploads.

-- The originals of an organisation, each content once. `storage_tally` holds their sum.
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
-- The check of the tally sums these rows.
create index upload_coming on upload (institution_id) include (bytes) where state <> 'finished';
-- Each upload counts what the same person has not sent completely.
create index upload_open_of on upload (institution_id, user_id)
  where state = 'open' or (state = 'received' and bytes = 0);
-- The scope is the organisation, not the user: uploads of colleagues count against the same storage.
select arcada_wall('upload', 'institution_id = arcada_iid()');

-- Sums the files and bytes of each organisation. Rows are added up instead of updated, since the uploads of one
-- organisation would wait for each other at a single row until each has committed. A task combines them, and a nightly
-- job compares them with the rows that they sum.
create table storage_tally (
  -- No foreign key: every added row would lock the organisation's row. Only triggers write this table, from columns that
  -- have the foreign key.
  institution_id uuid not null,
  -- uploads: those that are not finished; their bytes are reserved.
  kind text not null check (kind in ('originals', 'converted', 'uploads')),
  files bigint not null,
  bytes bigint not null
);
create index storage_tally_of on storage_tally (institution_id) include (kind, files, bytes);
select arcada_wall('storage_tally', 'institution_id = arcada_iid()', 'select');

-- Raises AR001 if so many more bytes do not fit below those that the organisation may have. It holds the lock of its quota
-- until the transaction ends: of two requests for the last space, the second sees what the first has committed.
create function reserve_storage(institution uuid, more bigint, allowed bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('arcada storage ' || institution, 0));
  -- A statement of its own: its snapshot is younger than the lock.
  if more + (select coalesce(sum(bytes), 0) from storage_tally
      where institution_id = institution and kind in ('originals', 'uploads')) > allowed then
    raise exception 'the storage of the organisation is full' using errcode = 'AR001';
  end if;
end $$;

-- The argument of the triggers is the kind.
create function storage_rows_added() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_tally select institution_id, tg_argv[0], count(*), sum(bytes) from made group by 1;
  return null;
end $$;

create function storage_rows_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_tally select institution_id, tg_argv[0], sum(n), sum(n * bytes) from (
      select institution_id, bytes, 1 as n from made union all select institution_id, bytes, -1 from gone) each_row
    group by 1 having sum(n) <> 0 or sum(n * bytes) <> 0;
  return null;
end $$;

create function storage_rows_removed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_tally select institution_id, tg_argv[0], -count(*), -sum(bytes) from gone group by 1;
  return null;
end $$;

create function uploads_added() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_tally select institution_id, 'uploads', count(*), sum(bytes) from made where state <> 'finished' group by 1;
  return null;
end $$;

create function uploads_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_tally select institution_id, 'uploads', sum(n), sum(n * bytes) from (
      select institution_id, bytes, 1 as n from made where state <> 'finished'
      union all select institution_id, bytes, -1 from gone where state <> 'finished') each_row
    group by 1 having sum(n) <> 0 or sum(n * bytes) <> 0;
  return null;
end $$;

create function uploads_removed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_tally select institution_id, 'uploads', -count(*), -sum(bytes) from gone where state <> 'finished' group by 1;
  return null;
end $$;

grant create on schema public to arcada_system;
alter function storage_rows_added() owner to arcada_system;
alter function storage_rows_changed() owner to arcada_system;
alter function storage_rows_removed() owner to arcada_system;
alter function uploads_added() owner to arcada_system;
alter function uploads_changed() owner to arcada_system;
alter function uploads_removed() owner to arcada_system;
revoke create on schema public from arcada_system;

create trigger added after insert on stored_file referencing new table as made for each statement
  execute function storage_rows_added('originals');
create trigger changed after update on stored_file referencing old table as gone new table as made for each statement
  execute function storage_rows_changed('originals');
create trigger removed after delete on stored_file referencing old table as gone for each statement
  execute function storage_rows_removed('originals');
create trigger added after insert on upload referencing new table as made for each statement
  execute function uploads_added();
create trigger changed after update on upload referencing old table as gone new table as made for each statement
  execute function uploads_changed();
create trigger removed after delete on upload referencing old table as gone for each statement
  execute function uploads_removed();

-- Contents that may be removed from a store. The row is written in the transaction that drops the last reference, so
-- that no crash leaves an unknown file behind.
create table unneeded (
  store_id uuid not null,
  area text not null check (area in ('originals', 'converted')),
  sha256 text not null,
  primary key (store_id, area, sha256)
);
select arcada_wall('unneeded', 'false');
