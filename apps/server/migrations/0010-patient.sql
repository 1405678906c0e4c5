-- Patient records, and merging them.

-- How many patients an organisation has ever had (the last number given) and has now, updated in the transaction that
-- creates or deletes the patient.
create table patient_counter (
  institution_id uuid primary key references institution,
  last int not null default 0,
  living int not null default 0
);
select arcada_wall('patient_counter', 'institution_id = arcada_iid()', 'select, insert, update');

-- The birth date, or an estimate if only the age is known.
create function patient_born(birth_date date, age_given int, age_given_on date) returns date
  language sql immutable parallel safe
  as $$ select coalesce(birth_date, (age_given_on - make_interval(years => age_given))::date) $$;

-- Timestamps are kept to the millisecond, which is what clients see, so that a page begins exactly after the row that
-- its cursor names.
create table patient (
  institution_id uuid not null references institution,
  id uuid not null,
  number text not null,
  name text not null,
  sex text not null check (sex in ('male', 'female', 'other')),
  birth_date date,
  age_given int,
  age_given_on date,
  phone text,
  fixed_line text,
  email text,
  mail_address text,
  id_number text,
  passport text,
  driving_licence text,
  insurance_number text,
  certificate_number text,
  entry_number text,
  allergies text,
  past_history text,
  diabetes boolean,
  hypertension boolean,
  family_genetics text,
  habits text[] not null default '{}',
  remark text,
  created_by uuid not null references users,
  created_at timestamptz(3) not null default now(),
  recent_visit_at timestamptz(3) not null default now(),
  deleted_at timestamptz,
  version int not null default 0,
  -- Search columns, written by the patient slice: lower-cased names, pinyin, initials and numbers; beginnings of words
  -- and Chinese bigrams.
  haystack text not null,
  grams text[] not null,
  sort_name text collate "C" not null,
  -- When and under which number the patient was last examined, as the clinic records it: local time without a zone.
  inspection_number text,
  inspected_at timestamp(0),
  -- The record that this one was merged into. A merged record is in no list and in no recycle bin.
  merged_into uuid,
  -- The latest recorded visit or the day of the last images; null until the patient was here. recent_visit_at orders
  -- the list, in which a new record stands first.
  last_visit_at timestamptz(3),
  -- The last change of the record itself: a trigger sets it with the version.
  updated_at timestamptz(3) not null default now(),
  primary key (institution_id, id),
  unique (institution_id, number),
  check (birth_date is not null or (age_given is not null and age_given_on is not null)),
  foreign key (institution_id, merged_into) references patient (institution_id, id) on delete cascade
);
create index patient_by_visit on patient (institution_id, recent_visit_at desc, id desc) where deleted_at is null;
create index patient_by_creation on patient (institution_id, created_at desc, id desc) where deleted_at is null;
create index patient_by_change on patient (institution_id, updated_at desc, id desc) where deleted_at is null;
create index patient_by_name on patient (institution_id, sort_name, id) where deleted_at is null;
-- Without the pending list (fastupdate), every search costs the same.
create index patient_haystack on patient using gin (institution_id, haystack gin_trgm_ops) with (fastupdate = off);
create index patient_grams on patient using gin (institution_id, grams) with (fastupdate = off);
create index patient_same_name on patient (institution_id, lower(name), birth_date);
create index patient_same_papers on patient (institution_id, id_number) where id_number is not null;
-- These indexes match a study to a patient.
create index patient_by_birth on patient (institution_id, birth_date) where deleted_at is null;
create index patient_by_entry on patient (institution_id, entry_number) where entry_number is not null;
create index patient_binned on patient (deleted_at) where deleted_at is not null;
create index patient_merged on patient (institution_id, merged_into) where merged_into is not null;
create index patient_by_age on patient (institution_id, patient_born(birth_date, age_given, age_given_on), id)
  where deleted_at is null;
create index patient_by_sex on patient (institution_id, sex) where deleted_at is null;
create index patient_bin on patient (institution_id, deleted_at desc, id desc)
  where deleted_at is not null and merged_into is null;
-- The worklist of a device asks for the patients of a few days.
create index patient_by_inspection on patient (institution_id, inspected_at)
  where deleted_at is null and inspected_at is not null;
-- The planner collects no statistics for the expression in the partial index: it estimated that a third of all patients
-- exceed any age, and read half a million rows to find none (decision 63).
create statistics patient_born on (patient_born(birth_date, age_given, age_given_on)) from patient;
create function arcada_patient_changed() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger patient_changed before update of version on patient for each row
  when (new.version is distinct from old.version) execute function arcada_patient_changed();
select arcada_wall('patient', 'institution_id = arcada_iid()', 'select, insert, update');

-- LIKE and @> are not leakproof, so row-level security keeps them away from the indexes: 45 ms instead of 2 ms at
-- 100,000 patients (decision 5). This view belongs to arcada_system and contains the tenant condition itself.
create view patient_living as
  select *, patient_born(birth_date, age_given, age_given_on) as born
  from patient where institution_id = arcada_iid() and deleted_at is null;
grant create on schema public to arcada_system;
alter view patient_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on patient_living to arcada_app;

-- Two records that were merged. The row holds what is needed to undo the merge.
create table patient_merge (
  institution_id uuid not null,
  id uuid not null,
  kept_id uuid not null,
  merged_id uuid not null,
  -- The changed columns of the kept record, before and after the merge.
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

-- A request to download one patient's data as an archive.
create table patient_download (
  institution_id uuid not null,
  id uuid not null,
  patient_id uuid not null,
  user_id uuid not null references users,
  language text not null,
  created_at timestamptz not null default now(),
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
select arcada_wall('patient_download', 'institution_id = arcada_iid()');

-- When a person opened a patient last: what arrived since is new to them.
create table patient_reading (
  institution_id uuid not null,
  patient_id uuid not null,
  user_id uuid not null references users,
  at timestamptz(3) not null default now(),
  primary key (institution_id, patient_id, user_id),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index patient_reading_newest on patient_reading (institution_id, user_id, at desc);
select arcada_wall('patient_reading', 'institution_id = arcada_iid()');
