-- What came by DICOM itself (STOW-RS, C-STORE), was acknowledged, and no job has taken up yet: a study's files come in
-- many requests and become one job.
create table intake (
  institution_id uuid not null,
  upload_id uuid not null,
  study_uid text not null,
  sop_uid text not null,
  sha256 text not null,
  origin text not null check (origin in ('stow', 'dimse', 'device')),
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (institution_id, upload_id),
  foreign key (institution_id, upload_id) references upload on delete cascade
);
create unique index intake_once on intake (institution_id, study_uid, sop_uid);
create index intake_by_age on intake (created_at);
select arcada_wall('intake', 'institution_id = arcada_iid()');
