-- When and under which number the patient was last examined, as the clinic writes it: a wall clock of its own.
alter table patient
  add column inspection_number text,
  add column inspected_at timestamp(0),
  -- The record that this one became part of; set, it stands in no list and in no bin.
  add column merged_into uuid,
  add foreign key (institution_id, merged_into) references patient (institution_id, id) on delete cascade;
create index patient_merged on patient (institution_id, merged_into) where merged_into is not null;

-- The birth date, or about when somebody was born of whom an age is known.
create function patient_born(birth_date date, age_given int, age_given_on date) returns date
  language sql immutable parallel safe
  as $$ select coalesce(birth_date, (age_given_on - make_interval(years => age_given))::date) $$;
create index patient_by_age on patient (institution_id, patient_born(birth_date, age_given, age_given_on), id) where deleted_at is null;
create index patient_by_sex on patient (institution_id, sex) where deleted_at is null;
create index patient_bin on patient (institution_id, deleted_at desc, id desc) where deleted_at is not null and merged_into is null;

create or replace view patient_living as
  select *, patient_born(birth_date, age_given, age_given_on) as born
  from patient where institution_id = arcada_iid() and deleted_at is null;

create index study_ct on study (institution_id, patient_id) where kind = 'ct' and deleted_at is null;
-- As study_living: for asking who has one.
create view patient_with_ct as
  select institution_id, patient_id from study where institution_id = arcada_iid() and kind = 'ct' and deleted_at is null;
grant create on schema public to arcada_system;
alter view patient_with_ct owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on patient_with_ct to arcada_app;

-- Two records that became one. What is written here puts everything back.
create table patient_merge (
  institution_id uuid not null,
  id uuid not null,
  kept_id uuid not null,
  merged_id uuid not null,
  -- Columns of the kept record that changed: as they were, and as they became.
  before jsonb not null,
  after jsonb not null,
  -- {table: keys of the rows that moved}
  moved jsonb not null,
  merged_by uuid not null references users,
  merged_at timestamptz not null default now(),
  undone_by uuid references users,
  undone_at timestamptz,
  primary key (institution_id, id),
  foreign key (institution_id, kept_id) references patient on delete cascade,
  foreign key (institution_id, merged_id) references patient on delete cascade
);
create index patient_merge_of on patient_merge (institution_id, kept_id, merged_at desc);
create unique index patient_merge_once on patient_merge (institution_id, merged_id) where undone_at is null;
select arcada_wall('patient_merge', 'institution_id = arcada_iid()', 'select, insert, update');

alter table taking drop constraint taking_kind_check,
  add constraint taking_kind_check check (kind in ('everything', 'trail', 'orders', 'patients'));
