-- Dental charts.

-- A patient's teeth: one row for each version. A version never changes.
create table tooth_chart (
  institution_id uuid not null,
  patient_id uuid not null,
  version int not null check (version > 0),
  content jsonb not null,
  -- FDI numbers of the teeth that differ from the version before.
  changed int[] not null,
  -- The version that this one restored.
  restored_from int,
  by_user uuid not null references users,
  at timestamptz(3) not null default now(),
  primary key (institution_id, patient_id, version),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
-- Rows are updated only when two records of one patient are merged.
select arcada_wall('tooth_chart', 'institution_id = arcada_iid()', 'select, insert, update');

-- A dentist's decision about an observation of an engine. It applies to the image: a rejected suggestion stays rejected
-- when the image is analysed again, by whichever engine.
create table chart_decision (
  institution_id uuid not null,
  patient_id uuid not null,
  image_sha256 text not null,
  code text not null,
  target jsonb not null,
  -- The observation that was decided last.
  observation_id uuid not null,
  decision text not null check (decision in ('accept', 'edit', 'reject')),
  reason text,
  -- The resulting finding in the chart; null: none, or the observation was rejected.
  finding_id uuid,
  -- The tooth under which it was accepted, which a dentist may have renumbered; null: it was rejected.
  fdi int,
  by_user uuid not null references users,
  at timestamptz(3) not null default now(),
  primary key (institution_id, patient_id, image_sha256, code, target),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index chart_decision_of_finding on chart_decision (institution_id, finding_id) where finding_id is not null;
select arcada_wall('chart_decision', 'institution_id = arcada_iid()');
