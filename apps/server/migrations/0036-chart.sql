-- A patient's teeth: a row for each version, none of which ever changes.
create table tooth_chart (
  institution_id uuid not null,
  patient_id uuid not null,
  version int not null check (version > 0),
  content jsonb not null,
  -- FDI numbers of the teeth that are not as in the version before.
  changed int[] not null,
  -- The version that was brought back by this one.
  restored_from int,
  by_user uuid not null references users,
  at timestamptz(3) not null default now(),
  primary key (institution_id, patient_id, version),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
-- Updated only where two records of one patient are put together.
select arcada_wall('tooth_chart', 'institution_id = arcada_iid()', 'select, insert, update');

-- What a dentist decided about what an engine saw. It holds for the image: a suggestion that was rejected stays rejected
-- when the same image is analysed again, by whatever engine.
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
  -- The finding that stands in the chart since; null: none, or it was rejected.
  finding_id uuid,
  by_user uuid not null references users,
  at timestamptz(3) not null default now(),
  primary key (institution_id, patient_id, image_sha256, code, target),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index chart_decision_of_finding on chart_decision (institution_id, finding_id) where finding_id is not null;
select arcada_wall('chart_decision', 'institution_id = arcada_iid()');

-- The same with other identifiers of people: an archive names them as they were called where it was written.
create function people_renamed(given jsonb, names jsonb) returns jsonb language plpgsql immutable as $$
declare
  text_of text := given::text;
  one record;
begin
  for one in select key, value from jsonb_each_text(names) loop
    text_of := replace(text_of, one.key, one.value);
  end loop;
  return text_of::jsonb;
end $$;
