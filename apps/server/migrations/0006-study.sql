-- What was taken of a patient at one time. uid is the DICOM Study Instance UID; scans and photos have none.
create table study (
  institution_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  kind text not null,
  kind_certain boolean not null,
  state text not null check (state in ('converting', 'ready', 'unconverted', 'failed')),
  uid text,
  -- The device's wall clock, which names no time zone.
  taken_at timestamp(0),
  description text,
  modality text,
  -- [{key, value}] of DICOM keywords; never the patient's name.
  header jsonb not null default '[]',
  count int not null,
  bytes bigint not null,
  thumbnail text,
  created_by uuid not null references users,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The ingest that made it: a cancelled one takes its own back.
  job_id uuid,
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient
);
create index study_by_patient on study (institution_id, patient_id, created_at desc) where deleted_at is null;
create unique index study_once on study (institution_id, patient_id, uid) where deleted_at is null and uid is not null;
select arcada_wall('study', 'institution_id = arcada_iid()');
-- For counting: as patient_living, so that a list does not plan the ways in which a study reaches other organisations.
create view study_living as
  select institution_id, id, patient_id from study where institution_id = arcada_iid() and deleted_at is null;
grant create on schema public to arcada_system;
alter view study_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on study_living to arcada_app;

create table series (
  institution_id uuid not null,
  id uuid not null,
  study_id uuid not null,
  kind text not null check (kind in ('volume', 'pictures', 'models')),
  uid text,
  place int not null,
  modality text,
  description text,
  problems jsonb not null default '[]',
  -- Of a volume: its own geometry and the preview's, as the viewer gets them; null until converted.
  volume jsonb,
  preview jsonb,
  thumbnail text,
  job_id uuid,
  primary key (institution_id, id),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index series_by_thumbnail on series (institution_id, thumbnail) where thumbnail is not null;
create index series_by_study on series (institution_id, study_id, place);
select arcada_wall('series', 'institution_id = arcada_iid()');

create table instance (
  institution_id uuid not null,
  id uuid not null,
  study_id uuid not null,
  series_id uuid not null,
  place int not null,
  sop_uid text,
  name text not null,
  format text not null check (format in ('dicom', 'jpeg', 'png', 'stl', 'ply', 'obj')),
  bytes bigint not null,
  sha256 text not null,
  -- What viewers need to know of a picture or a model; null until converted, or where it is neither.
  picture jsonb,
  model jsonb,
  thumbnail text,
  -- The refusal's name where this file could not be converted.
  fault text,
  job_id uuid,
  primary key (institution_id, id),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, series_id) references series on delete cascade
);
create index instance_by_study on instance (institution_id, study_id, series_id, place);
create unique index instance_once on instance (institution_id, study_id, sop_uid, sha256);
create index instance_by_job on instance (institution_id, job_id);
-- Who still needs a stored file, before it is removed.
create index instance_by_content on instance (institution_id, sha256);
create index instance_by_thumbnail on instance (institution_id, thumbnail) where thumbnail is not null;
select arcada_wall('instance', 'institution_id = arcada_iid()');

-- What the viewers stream, made from the originals and made again when it was removed.
create table converted_file (
  institution_id uuid not null,
  study_id uuid not null,
  -- The instance of a picture or the series of a volume.
  owner_id uuid not null,
  role text not null check (role in ('picture', 'preview', 'group')),
  place int not null default 0,
  sha256 text not null,
  bytes bigint not null,
  type text not null,
  primary key (institution_id, study_id, owner_id, role, place),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index converted_by_content on converted_file (institution_id, sha256);
select arcada_wall('converted_file', 'institution_id = arcada_iid()');

create table study_marks (
  institution_id uuid not null,
  study_id uuid not null,
  version int not null,
  marks jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null default now(),
  primary key (institution_id, study_id),
  foreign key (institution_id, study_id) references study on delete cascade
);
select arcada_wall('study_marks', 'institution_id = arcada_iid()');

create table ingest_job (
  institution_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  kind text,
  uploads uuid[] not null,
  -- Same uploads, same patient: one job at a time.
  upload_key text not null,
  accept_mismatch boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  stage text not null default 'receiving',
  progress real not null default 0,
  studies uuid[] not null default '{}',
  refused jsonb not null default '[]',
  mismatch jsonb,
  refusal text,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient
);
create unique index ingest_job_once on ingest_job (institution_id, upload_key) where state in ('waiting', 'running');
create index ingest_job_by_patient on ingest_job (institution_id, patient_id, created_at desc);
select arcada_wall('ingest_job', 'institution_id = arcada_iid()', 'select, insert, update');

-- What a job has brought into the store: taken out again where the job ends without it.
create table ingest_content (
  institution_id uuid not null,
  job_id uuid not null,
  area text not null check (area in ('originals', 'converted')),
  sha256 text not null,
  primary key (institution_id, job_id, area, sha256),
  foreign key (institution_id, job_id) references ingest_job on delete cascade
);
select arcada_wall('ingest_content', 'institution_id = arcada_iid()');
