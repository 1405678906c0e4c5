-- A study whose files name somebody else than the patient for whom it was uploaded waits at that patient for an answer.
-- It has no patient of its own until somebody decides; without an answer it goes to the inbox (decision 93).
create table study_question (
  institution_id uuid not null,
  study_id uuid not null,
  patient_id uuid not null,
  -- Names of the uploads out of which it came, which people recognise; a ZIP by its own name.
  files jsonb not null default '[]',
  asked_at timestamptz not null default now(),
  primary key (institution_id, study_id, patient_id),
  foreign key (institution_id, study_id) references study on delete cascade,
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index study_question_by_patient on study_question (institution_id, patient_id, asked_at);
create index study_question_by_age on study_question (asked_at);
select arcada_wall('study_question', 'institution_id = arcada_iid()');

-- TIFF, in which many cephalometric radiographs are kept.
alter table instance drop constraint instance_format_check;
alter table instance add constraint instance_format_check
  check (format in ('dicom', 'jpeg', 'png', 'tiff', 'stl', 'ply', 'obj', 'mtl', 'pdf'));

-- Documents: PDF files, and PDFs in DICOM files, which are taken out to be opened.
alter table instance add column document jsonb;
alter table converted_file drop constraint converted_file_role_check;
alter table converted_file add constraint converted_file_role_check
  check (role in ('picture', 'preview', 'half', 'group', 'mesh', 'document'));

-- The same bytes under another name are stored once; the name is kept, and the job tells of it.
alter table instance add column also_named jsonb not null default '[]';
alter table ingest_job add column known_files jsonb not null default '[]';

-- A job of which one study named somebody else used to fail as a whole, with the name.
alter table ingest_job drop column mismatch;
