-- Jobs that turn uploads into studies.

create table ingest_job (
  institution_id uuid not null,
  id uuid not null,
  -- Null: files from STOW-RS, C-STORE or a device name their patient themselves.
  patient_id uuid,
  kind text,
  uploads uuid[] not null,
  -- Only one job runs for the same uploads and the same patient.
  upload_key text not null,
  accept_mismatch boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  stage text not null default 'receiving',
  progress real not null default 0,
  studies uuid[] not null default '{}',
  refused jsonb not null default '[]',
  refusal text,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  origin text not null default 'upload' check (origin in ('upload', 'stow', 'dimse', 'device')),
  -- True: the job derives the viewers' files again from originals that are stored already.
  again boolean not null default false,
  -- How many readable files the job added, and how many the patient had already.
  added int not null default 0,
  known int not null default 0,
  known_files jsonb not null default '[]',
  -- The person whom the sender's program names: it counts for files that name nobody. It is forgotten when the
  -- job ends, or after an outage together with the job's contents, until which the job may be resumed.
  sender_person jsonb,
  -- The view of each photograph of a photo series, by the id of its upload.
  photo_views jsonb not null default '{}',
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient
);
create unique index ingest_job_once on ingest_job (institution_id, upload_key) where state in ('waiting', 'running');
create index ingest_job_by_patient on ingest_job (institution_id, patient_id, created_at desc);
select arcada_wall('ingest_job', 'institution_id = arcada_iid()', 'select, insert, update');

-- Contents that a job brought into the store. They are removed if the job fails.
create table ingest_content (
  institution_id uuid not null,
  job_id uuid not null,
  area text not null check (area in ('originals', 'converted')),
  sha256 text not null,
  primary key (institution_id, job_id, area, sha256),
  foreign key (institution_id, job_id) references ingest_job on delete cascade
);
create index ingest_content_by_content on ingest_content (institution_id, sha256);
select arcada_wall('ingest_content', 'institution_id = arcada_iid()');
