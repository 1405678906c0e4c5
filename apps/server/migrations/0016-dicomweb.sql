-- What DICOMweb asks of a study, read out of its files; made again from them at any time. Attributes are texts of DICOM
-- JSON (PS3.18 F.2) in which U+0001 stands for the address under which they are asked for.
create table dicom_study (
  institution_id uuid not null,
  study_id uuid not null,
  uid text not null,
  -- Names as the files write them, folded, a component group a line; then what people may type instead.
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
  primary key (institution_id, study_id),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index dicom_study_by_date on dicom_study (institution_id, study_date desc nulls last, study_id desc);
create index dicom_study_by_uid on dicom_study (institution_id, uid, study_id);
create index dicom_study_by_number on dicom_study (institution_id, patient_number);
create index dicom_study_by_accession on dicom_study (institution_id, accession) where accession <> '';
create index dicom_study_names on dicom_study using gin (institution_id, names gin_trgm_ops) with (fastupdate = off);
create index dicom_study_haystack on dicom_study using gin (institution_id, haystack gin_trgm_ops) with (fastupdate = off);
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
  primary key (institution_id, instance_id),
  foreign key (institution_id, instance_id) references instance on delete cascade
);
create index dicom_instance_by_study on dicom_instance (institution_id, study_id, series_uid, uid);
select arcada_wall('dicom_instance', 'institution_id = arcada_iid()');

-- As patient_living: the wall is within, so that patterns meet the indexes. A study that two patients have shows once.
create view dicom_study_living as
  select d.* from dicom_study d
    join study s on s.institution_id = d.institution_id and s.id = d.study_id
    join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
  where d.institution_id = arcada_iid() and s.deleted_at is null and p.deleted_at is null
    and not exists (select from dicom_study e
      join study t on t.institution_id = e.institution_id and t.id = e.study_id
      join patient q on q.institution_id = t.institution_id and q.id = t.patient_id
      where e.institution_id = d.institution_id and e.uid = d.uid and e.study_id < d.study_id
        and t.deleted_at is null and q.deleted_at is null);
grant create on schema public to arcada_system;
alter view dicom_study_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on dicom_study_living to arcada_app;
