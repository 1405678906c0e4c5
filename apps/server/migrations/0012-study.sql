-- Studies with their series, images, annotations and derived files.

-- A study or a set of images that was taken of a patient at one time. uid is the DICOM Study Instance UID; scans and
-- photographs have none.
create table study (
  institution_id uuid not null,
  id uuid not null,
  -- Null: the study waits in the inbox until somebody assigns it to a patient.
  patient_id uuid,
  kind text not null,
  kind_certain boolean not null,
  -- The view of a photograph that was taken as part of a photo series, as in photoViews of the contract.
  photo_view text,
  state text not null check (state in ('converting', 'ready', 'unconverted', 'failed')),
  uid text,
  -- Local time of the device, which names no time zone.
  taken_at timestamp(0),
  description text,
  modality text,
  -- [{key, value}] with DICOM keywords; never contains the patient's name.
  header jsonb not null default '[]',
  count int not null,
  bytes bigint not null,
  thumbnail text,
  created_by uuid not null references users,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The ingest job that created the study. A cancelled job removes its own studies.
  job_id uuid,
  origin text not null default 'upload' check (origin in ('upload', 'stow', 'dimse', 'device')),
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient
);
create index study_by_patient on study (institution_id, patient_id, created_at desc) where deleted_at is null;
create unique index study_once on study (institution_id, patient_id, uid) where deleted_at is null and uid is not null;
create index study_by_id on study (id);
create unique index study_inbox_once on study (institution_id, uid)
  where patient_id is null and deleted_at is null and uid is not null;
create index study_inbox on study (institution_id, created_at desc, id desc)
  where patient_id is null and deleted_at is null;
create index study_bin on study (institution_id, patient_id, deleted_at desc) where deleted_at is not null;
create index study_by_uid on study (institution_id, uid) where uid is not null and deleted_at is null;
-- A daily job looks for studies in the recycle bin and for studies that were not used for long.
create index study_binned on study (deleted_at) where deleted_at is not null;
create index study_unused on study (used_at) where state = 'ready' and deleted_at is null;
create index study_by_thumbnail on study (institution_id, thumbnail) where thumbnail is not null;
create index study_ct on study (institution_id, patient_id) where kind = 'ct' and deleted_at is null;
select arcada_wall('study', 'institution_id = arcada_iid()');

-- For counting. Like patient_living, the view contains the tenant condition, so that a list does not plan the policies
-- by which a study reaches other organisations.
create view study_living as
  select institution_id, id, patient_id from study where institution_id = arcada_iid() and deleted_at is null;

-- Like study_living: finds the patients who have a CT.
create view patient_with_ct as
  select institution_id, patient_id
  from study where institution_id = arcada_iid() and kind = 'ct' and deleted_at is null;
grant create on schema public to arcada_system;
alter view study_living owner to arcada_system;
alter view patient_with_ct owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on study_living, patient_with_ct to arcada_app;

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
  -- The geometry of a volume and of its preview, as the viewer receives them; null until converted.
  volume jsonb,
  preview jsonb,
  thumbnail text,
  job_id uuid,
  primary key (institution_id, id),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index series_by_thumbnail on series (institution_id, thumbnail) where thumbnail is not null;
create index series_by_study on series (institution_id, study_id, place);
-- Finds the series to which more slices come.
create index series_by_uid on series (institution_id, uid) where uid is not null;
select arcada_wall('series', 'institution_id = arcada_iid()');

create table instance (
  institution_id uuid not null,
  id uuid not null,
  study_id uuid not null,
  series_id uuid not null,
  place int not null,
  sop_uid text,
  name text not null,
  -- The material libraries (mtl) of OBJ models are kept, so that their colours can be derived again. TIFF holds many
  -- cephalometric radiographs.
  format text not null check (format in ('dicom', 'jpeg', 'png', 'tiff', 'stl', 'ply', 'obj', '3mf', 'mtl', 'pdf', 'mp4')),
  bytes bigint not null,
  sha256 text not null,
  -- What the viewers need to know about an image or a model; null until converted, and for other formats.
  picture jsonb,
  model jsonb,
  thumbnail text,
  -- The code of the refusal if this file could not be converted.
  fault text,
  job_id uuid,
  -- For PDF files and for PDFs encapsulated in DICOM.
  document jsonb,
  -- What is known of a video; it is served as it came.
  video jsonb,
  -- Equal bytes are stored once. Their other names are kept here, and the job reports them.
  also_named jsonb not null default '[]',
  primary key (institution_id, id),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, series_id) references series on delete cascade
);
create index instance_by_study on instance (institution_id, study_id, series_id, place);
create unique index instance_once on instance (institution_id, study_id, sop_uid, sha256);
create index instance_by_job on instance (institution_id, job_id);
-- Finds the rows that still need a stored file before it is removed.
create index instance_by_content on instance (institution_id, sha256);
create index instance_by_thumbnail on instance (institution_id, thumbnail) where thumbnail is not null;
select arcada_wall('instance', 'institution_id = arcada_iid()');

-- Files that the viewers stream. They are derived from the originals, and derived again after they were removed.
create table converted_file (
  institution_id uuid not null,
  study_id uuid not null,
  -- The instance of an image or the series of a volume.
  owner_id uuid not null,
  -- mesh: the streaming copy (GLB) of a scan; at place 1 the surface of a scan within a DICOM file; at place 2 the
  -- coarse copy of a large scan. half: half the resolution, for volumes that are too large for some
  -- graphics processors.
  role text not null check (role in ('picture', 'preview', 'half', 'group', 'mesh', 'document')),
  place int not null default 0,
  sha256 text not null,
  bytes bigint not null,
  type text not null,
  primary key (institution_id, study_id, owner_id, role, place),
  foreign key (institution_id, study_id) references study on delete cascade
);
create index converted_by_content on converted_file (institution_id, sha256);
select arcada_wall('converted_file', 'institution_id = arcada_iid()');
create trigger added after insert on converted_file referencing new table as made for each statement
  execute function storage_rows_added('converted');
create trigger changed after update on converted_file referencing old table as gone new table as made for each statement
  execute function storage_rows_changed('converted');
create trigger removed after delete on converted_file referencing old table as gone for each statement
  execute function storage_rows_removed('converted');

-- The person that a study's files name. Kept in a table of its own, since receivers of an order read the study under a
-- hidden name.
create table study_person (
  institution_id uuid not null,
  study_id uuid not null,
  -- As the files contain it, with its component groups, and as people read it.
  name text not null,
  name_text text not null,
  number text not null,
  birth_date date,
  sex text not null,
  primary key (institution_id, study_id),
  foreign key (institution_id, study_id) references study on delete cascade
);
select arcada_wall('study_person', 'institution_id = arcada_iid()');

-- The files of a study name somebody other than the patient for whom it was uploaded. The study has no patient until
-- somebody decides; without a decision it goes to the inbox (decision 93).
create table study_question (
  institution_id uuid not null,
  study_id uuid not null,
  patient_id uuid not null,
  -- Names of the uploads, which people recognise; for a ZIP, its own name.
  files jsonb not null default '[]',
  asked_at timestamptz not null default now(),
  primary key (institution_id, study_id, patient_id),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index study_question_by_patient on study_question (institution_id, patient_id, asked_at);
create index study_question_by_age on study_question (asked_at);
select arcada_wall('study_question', 'institution_id = arcada_iid()');

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

-- Earlier annotations of a study: one version for each person and ten minutes.
create table study_marks_version (
  institution_id uuid not null,
  study_id uuid not null,
  version int not null,
  marks jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null,
  primary key (institution_id, study_id, version),
  foreign key (institution_id, study_id) references study on delete cascade
);
select arcada_wall('study_marks_version', 'institution_id = arcada_iid()');

-- Radiographs in their positions in a full-mouth series; one mount for each patient and kind.
create table film_mount (
  institution_id uuid not null,
  patient_id uuid not null,
  version int not null,
  layout text not null,
  -- {position: instance}
  films jsonb not null,
  -- {instance: quarter turns clockwise}, for those that do not lie as in their files
  turns jsonb not null default '{}',
  saved_by uuid not null references users,
  saved_at timestamptz not null default now(),
  -- Photographs have a mount of their own.
  kind text not null default 'films' check (kind in ('films', 'photos')),
  foreign key (institution_id, patient_id) references patient on delete cascade,
  primary key (institution_id, patient_id, kind)
);
select arcada_wall('film_mount', 'institution_id = arcada_iid()');

-- A download of studies as an archive. It is written while it is read, and stored nowhere.
create table study_download (
  institution_id uuid not null references institution,
  id uuid not null,
  -- Null: a guest, of whom nothing is known.
  user_id uuid references users,
  -- The owner of the studies and, if that is another organisation, the order that grants access.
  owner_id uuid not null references institution,
  order_id uuid,
  studies uuid[] not null,
  -- Options of the de-identification; null: the original files.
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

-- De-identified copies of the sender's files for the receiver of an order that hides names (decision 75). They are made
-- again after they were removed.
create table cleaned_file (
  -- Both files are in the store of this organisation.
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
