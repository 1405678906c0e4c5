-- A study whose patient nobody has told yet waits in the inbox: it has no patient.
alter table study alter column patient_id drop not null;
alter table study add column origin text not null default 'upload' check (origin in ('upload', 'stow', 'dimse', 'device'));
create unique index study_inbox_once on study (institution_id, uid)
  where patient_id is null and deleted_at is null and uid is not null;
create index study_inbox on study (institution_id, created_at desc, id desc) where patient_id is null and deleted_at is null;
create index study_bin on study (institution_id, patient_id, deleted_at desc) where deleted_at is not null;
create index study_by_uid on study (institution_id, uid) where uid is not null and deleted_at is null;

-- Whom a study's files name. Beside the study, since its row is read by those to whom an order brings it under a hidden name.
create table study_person (
  institution_id uuid not null,
  study_id uuid not null,
  -- As the files write it, with its component groups, and as people read it.
  name text not null,
  name_text text not null,
  number text not null,
  birth_date date,
  sex text not null,
  primary key (institution_id, study_id),
  foreign key (institution_id, study_id) references study on delete cascade
);
select arcada_wall('study_person', 'institution_id = arcada_iid()');

-- The ways in that know no patient beforehand.
alter table ingest_job alter column patient_id drop not null;
alter table ingest_job add column origin text not null default 'upload' check (origin in ('upload', 'stow', 'dimse', 'device'));

-- Whose a study is, is looked for by these.
create index patient_by_birth on patient (institution_id, birth_date) where deleted_at is null;
create index patient_by_entry on patient (institution_id, entry_number) where entry_number is not null;

-- What waits in the inbox is found by DICOMweb too, or its sender would send it again.
create or replace view dicom_study_living as
  select d.* from dicom_study d
    join study s on s.institution_id = d.institution_id and s.id = d.study_id
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
  where d.institution_id = arcada_iid() and s.deleted_at is null and p.deleted_at is null
    and not exists (select from dicom_study e
      join study t on t.institution_id = e.institution_id and t.id = e.study_id
      left join patient q on q.institution_id = t.institution_id and q.id = t.patient_id
      where e.institution_id = d.institution_id and e.uid = d.uid and e.study_id < d.study_id
        and t.deleted_at is null and q.deleted_at is null);
