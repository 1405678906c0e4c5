-- What DICOMweb and the DICOM port receive and search.

-- Files that arrived by STOW-RS or C-STORE and were acknowledged, but that no job has taken yet: the files of one study
-- arrive in many requests and become one job.
create table intake (
  institution_id uuid not null,
  upload_id uuid not null,
  study_uid text not null,
  sop_uid text not null,
  sha256 text not null,
  -- Other files of its study belong to the same object, as the slices of a volume do.
  is_part boolean not null,
  origin text not null check (origin in ('stow', 'dimse', 'device')),
  created_by uuid not null references users,
  -- Not the begin of the transaction, which may wait for others: a study is taken some time after its last file.
  created_at timestamptz not null default clock_timestamp(),
  primary key (institution_id, upload_id),
  foreign key (institution_id, upload_id) references upload on delete cascade
);
create unique index intake_once on intake (institution_id, study_uid, sop_uid);
create index intake_by_age on intake (created_at);
select arcada_wall('intake', 'institution_id = arcada_iid()');

-- The contents that are stored under these UIDs: as an instance of a study, or acknowledged and waiting.
create function received_contents(institution uuid, study text, object text) returns setof text
  language sql stable as $$
  select i.sha256 from study s
    join instance i on i.institution_id = s.institution_id and i.study_id = s.id and i.sop_uid = object
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
  where s.institution_id = institution and s.uid = study and s.deleted_at is null and p.deleted_at is null
  union all select sha256 from intake where institution_id = institution and study_uid = study and sop_uid = object
$$;

-- Takes files whose bytes and names are on the disk. Each content that is not known is counted against the quota as an
-- upload and waits for a job; the outcome of its file is "kept". Of the others, "same" has the bytes that are known of its
-- object, and "other" has not. Raises AR001 if the files do not fit; if `allowed` is null, the caller checks that later.
--
-- One call instead of seven statements: what a statement costs beside its rows is most of the work of one file. Until it
-- commits, the transaction shares a lock with the others that bring files: the institution's job sees these files, or is
-- requested again.
--
-- Rows are found by their keys, however many files there are. PostgreSQL cannot tell from arrays and would plan again for
-- each call, which takes longer than running it. A generic plan is kept until the statistics change: one that was made
-- while a table was empty would read all of it for every file later. Without sequential scans it uses an index even then.
create function keep_received_files(
    institution uuid, person uuid, channel text, allowed bigint,
    ids uuid[], studies text[], objects text[], hashes text[], sizes bigint[], parts boolean[]
  ) returns table (file uuid, outcome text)
  language plpgsql set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off as $$
declare
  open_files uuid[] := ids;
  settled uuid[];
  results text[];
  any_kept boolean := false;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('arcada intake ' || institution, 0));
  -- Each round is a statement of its own: its snapshot is younger than the lock. A file is compared with the contents
  -- that the same statement has read: a job may take them at any moment, and a later statement would not find them. A
  -- file whose object another one brought meanwhile, in this call or in another transaction, gets another round.
  loop
    with compared as materialized (
      select g.*, (select bool_or(c = g.hash) from received_contents(institution, g.study, g.object) c) as is_same
      from unnest(ids, studies, objects, hashes, sizes, parts)
        with ordinality g (id, study, object, hash, size, is_part, place)
      where g.id = any(open_files)
    ), taken as (
      insert into intake (institution_id, upload_id, study_uid, sop_uid, sha256, is_part, origin, created_by)
      select institution, g.id, g.study, g.object, g.hash, g.is_part, channel, person from compared g
      where g.is_same is null
      -- Two that bring the same objects take them in one order, and wait for each other at the first.
      order by g.study, g.object, g.place
      on conflict (institution_id, study_uid, sop_uid) do nothing returning upload_id
    ), counted as (
      insert into upload (institution_id, id, user_id, name, bytes, state, sha256)
      select institution, g.id, person, g.object || '.dcm', g.size, 'received', g.hash
      from compared g where g.id in (select upload_id from taken)
    )
    select array_agg(r.id), array_agg(r.result) into settled, results from (
      select upload_id, 'kept' from taken
      union all
      select g.id, case when g.is_same then 'same' else 'other' end from compared g where g.is_same is not null
    ) r (id, result);
    return query select * from unnest(settled, results);
    any_kept := any_kept or coalesce('kept' = any(results), false);
    exit when cardinality(open_files) = coalesce(cardinality(settled), 0);
    open_files := array(select o from unnest(open_files) o where settled is null or o <> all(settled));
  end loop;
  -- Last: whoever holds the lock of the quota has only the commit left to do.
  if any_kept and allowed is not null then
    perform reserve_storage(institution, 0, allowed);
  end if;
end $$;

-- DICOMweb attributes of a study, read from its files; they can be derived again at any time. `attributes` is DICOM
-- JSON (PS3.18 F.2) in which U+0001 stands for the address of the request.
create table dicom_study (
  institution_id uuid not null,
  study_id uuid not null,
  uid text not null,
  -- Folded names from the files, one component group per line; then other spellings that people may type.
  names text not null,
  haystack text not null,
  referring text not null,
  patient_number text not null,
  birth_date date,
  sex text not null,
  study_date date,
  study_time text not null,
  accession text not null,
  study_number text not null,
  description text not null,
  modalities text[] not null,
  attributes text not null,
  -- Whether searches find the study, decided when that changes instead of in each search: its patient is not in the
  -- recycle bin, and it is the first of the studies with its UID.
  shown boolean not null default true,
  primary key (institution_id, study_id),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index dicom_study_by_uid on dicom_study (institution_id, uid, study_id);
create index dicom_study_by_number on dicom_study (institution_id, patient_number);
create index dicom_study_by_accession on dicom_study (institution_id, accession) where accession <> '';
-- Names of many studies are entered into the index together. The list of those that wait for it is short, since every
-- search reads it: usually 8 pages for each index.
create index dicom_study_names on dicom_study using gin (institution_id, names gin_trgm_ops)
  with (gin_pending_list_limit = 64);
create index dicom_study_haystack on dicom_study using gin (institution_id, haystack gin_trgm_ops)
  with (gin_pending_list_limit = 64);
create index dicom_study_pages on dicom_study (institution_id, study_date desc nulls last, study_id desc) where shown;
select arcada_wall('dicom_study', 'institution_id = arcada_iid()');

create table dicom_series (
  institution_id uuid not null,
  study_id uuid not null,
  uid text not null,
  modality text not null,
  number int,
  description text not null,
  step_date date,
  attributes text not null,
  primary key (institution_id, study_id, uid),
  foreign key (institution_id, study_id) references dicom_study on delete cascade
);
select arcada_wall('dicom_series', 'institution_id = arcada_iid()');

create table dicom_instance (
  institution_id uuid not null,
  instance_id uuid not null,
  study_id uuid not null,
  series_uid text not null,
  uid text not null,
  sop_class text not null,
  number int,
  frames int not null,
  syntax text not null,
  attributes text not null,
  metadata text not null,
  -- Where the frames are in the file, so that a frame is sent without parsing DICOM; null if they must be extracted
  -- first.
  frames_at bigint,
  frame_bytes bigint,
  primary key (institution_id, instance_id),
  foreign key (institution_id, instance_id) references instance on delete cascade
);
create index dicom_instance_by_study on dicom_instance (institution_id, study_id, series_uid, uid);
select arcada_wall('dicom_instance', 'institution_id = arcada_iid()');

-- Includes studies in the inbox; otherwise their sender would send them again.
create view dicom_study_living as
  select d.* from dicom_study d where d.institution_id = arcada_iid() and d.shown;

-- Like dicom_study_living, it contains the tenant condition, so that a viewer's many small requests are not planned
-- through the policies of the tables below.
create view dicom_instance_living as
  select i.*, d.uid as study_uid, d.study_date, o.sha256, o.bytes from dicom_study d
    join dicom_instance i on i.institution_id = d.institution_id and i.study_id = d.study_id
    join instance o on o.institution_id = i.institution_id and o.id = i.instance_id
  where d.institution_id = arcada_iid() and i.institution_id = arcada_iid() and o.institution_id = arcada_iid() and d.shown;
grant create on schema public to arcada_system;
alter view dicom_study_living owner to arcada_system;
alter view dicom_instance_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on dicom_study_living, dicom_instance_living to arcada_app;

-- Decides for all studies of these UIDs at once: one by one, the decisions took half of the time of an insertion.
-- A plan that was made while a table was empty would read all of it later. With these settings, and one look for each UID,
-- it uses the keys even then.
create function arcada_show_studies(institution uuid, of_uids text[]) returns void
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- Two transactions that change studies of one UID at the same time must each see the studies of the other. Locks are
  -- taken in the order of the UIDs, so that they cannot deadlock.
  perform pg_advisory_xact_lock(hashtextextended('arcada shown ' || institution || ' ' || u, 0))
  from (select distinct u from unnest(of_uids) u order by u) ordered;
  update dicom_study d set shown = w.shown
  from (
    select a.study_id, a.uid,
      a.living and row_number() over (partition by a.uid, a.living order by a.study_id) = 1 as shown
    from (select distinct u as uid from unnest(of_uids) u) given
      cross join lateral (
        select e.study_id, e.uid, s.deleted_at is null and p.deleted_at is null as living
        from dicom_study e
          join study s on s.institution_id = e.institution_id and s.id = e.study_id
          left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
        where e.institution_id = institution and e.uid = given.uid
        offset 0
      ) a
  ) w
  where d.institution_id = institution and d.uid = w.uid and d.study_id = w.study_id and d.shown is distinct from w.shown;
end $$;

create function arcada_shown_study() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform arcada_show_studies(c.institution_id, c.uids)
  from (select institution_id, array_agg(uid) as uids from changed group by institution_id order by institution_id) c;
  return null;
end $$;

create function arcada_shown_of_study() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found text;
begin
  select uid into found from dicom_study where institution_id = new.institution_id and study_id = new.id;
  if found is not null then
    perform arcada_show_studies(new.institution_id, array[found]);
  end if;
  return null;
end $$;

create function arcada_shown_of_patient() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform arcada_show_studies(new.institution_id, u.uids)
  from (
    select array_agg(distinct d.uid) as uids from study s
      join dicom_study d on d.institution_id = s.institution_id and d.study_id = s.id
    where s.institution_id = new.institution_id and s.patient_id = new.id
  ) u where u.uids is not null;
  return null;
end $$;

grant create on schema public to arcada_system;
alter function arcada_show_studies(uuid, text[]) owner to arcada_system;
alter function arcada_shown_study() owner to arcada_system;
alter function arcada_shown_of_study() owner to arcada_system;
alter function arcada_shown_of_patient() owner to arcada_system;
revoke create on schema public from arcada_system;
revoke execute on function arcada_show_studies(uuid, text[]) from public;
grant execute on function arcada_show_studies(uuid, text[]) to arcada_system;

create trigger shown_inserted after insert on dicom_study referencing new table as changed
  for each statement execute function arcada_shown_study();
create trigger shown_deleted after delete on dicom_study referencing old table as changed
  for each statement execute function arcada_shown_study();
create trigger shown after update of deleted_at, patient_id on study for each row
  when (old.deleted_at is distinct from new.deleted_at or old.patient_id is distinct from new.patient_id)
  execute function arcada_shown_of_study();
create trigger shown after update of deleted_at on patient for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function arcada_shown_of_patient();
