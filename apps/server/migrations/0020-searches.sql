-- Whether a search finds a study is decided when that changes, not at every row that a search passes over: its patient
-- is outside the bin, and of several studies with one UID it is the first.
alter table dicom_study add column shown boolean not null default true;

create function arcada_show_studies(institution uuid, of_uid text) returns void
  language plpgsql security definer set search_path = public as $$
begin
  -- Two that change studies of one UID at the same time must find each other's.
  perform pg_advisory_xact_lock(hashtextextended('arcada shown ' || institution || ' ' || of_uid, 0));
  update dicom_study d set shown = w.shown
  from (
    select a.study_id, a.living and row_number() over (partition by a.living order by a.study_id) = 1 as shown
    from (
      select e.study_id, s.deleted_at is null and p.deleted_at is null as living
      from dicom_study e
        join study s on s.institution_id = e.institution_id and s.id = e.study_id
        left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
      where e.institution_id = institution and e.uid = of_uid
    ) a
  ) w
  where d.institution_id = institution and d.study_id = w.study_id and d.shown is distinct from w.shown;
end $$;

create function arcada_shown_study() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'DELETE' then
    perform arcada_show_studies(old.institution_id, old.uid);
  else
    perform arcada_show_studies(new.institution_id, new.uid);
  end if;
  return null;
end $$;
create function arcada_shown_of_study() returns trigger language plpgsql security definer set search_path = public as $$
declare
  found text;
begin
  select uid into found from dicom_study where institution_id = new.institution_id and study_id = new.id;
  if found is not null then
    perform arcada_show_studies(new.institution_id, found);
  end if;
  return null;
end $$;
create function arcada_shown_of_patient() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform arcada_show_studies(new.institution_id, u.uid)
  from (
    select distinct d.uid from study s
      join dicom_study d on d.institution_id = s.institution_id and d.study_id = s.id
    where s.institution_id = new.institution_id and s.patient_id = new.id
  ) u order by u.uid;
  return null;
end $$;
grant create on schema public to arcada_system;
alter function arcada_show_studies(uuid, text) owner to arcada_system;
alter function arcada_shown_study() owner to arcada_system;
alter function arcada_shown_of_study() owner to arcada_system;
alter function arcada_shown_of_patient() owner to arcada_system;
revoke create on schema public from arcada_system;
revoke execute on function arcada_show_studies(uuid, text) from public;
grant execute on function arcada_show_studies(uuid, text) to arcada_system;

create trigger shown after insert or delete on dicom_study for each row execute function arcada_shown_study();
create trigger shown after update of deleted_at, patient_id on study for each row
  when (old.deleted_at is distinct from new.deleted_at or old.patient_id is distinct from new.patient_id)
  execute function arcada_shown_of_study();
create trigger shown after update of deleted_at on patient for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function arcada_shown_of_patient();

do $$
declare
  one record;
begin
  set local role arcada_system;
  for one in select distinct institution_id, uid from dicom_study loop
    perform arcada_show_studies(one.institution_id, one.uid);
  end loop;
  reset role;
end $$;

create index dicom_study_pages on dicom_study (institution_id, study_date desc nulls last, study_id desc) where shown;
drop index dicom_study_by_date;

create or replace view dicom_study_living as
  select d.* from dicom_study d where d.institution_id = arcada_iid() and d.shown;
