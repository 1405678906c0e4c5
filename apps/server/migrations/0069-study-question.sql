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

-- A job of which one study named somebody else used to fail as a whole, with the name.
alter table ingest_job drop column mismatch;
