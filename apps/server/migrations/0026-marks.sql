-- What was drawn on a study before: a version for every person and ten minutes.
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

-- Films in their places in a full-mouth mount; one for each patient.
create table film_mount (
  institution_id uuid not null,
  patient_id uuid not null,
  version int not null,
  layout text not null,
  -- The place's name to the instance that lies in it.
  films jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz not null default now(),
  primary key (institution_id, patient_id),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
select arcada_wall('film_mount', 'institution_id = arcada_iid()');
