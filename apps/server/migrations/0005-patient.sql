-- How many patients an organisation has had (the last number given) and has now, kept in the patient's own transaction.
create table patient_counter (
  institution_id uuid primary key references institution,
  last int not null default 0,
  living int not null default 0
);
select arcada_wall('patient_counter', 'institution_id = arcada_iid()', 'select, insert, update');

-- Instants are kept to the millisecond, as they travel: a page begins exactly behind the row that the cursor names.
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
  -- Written by the patient slice: lower-cased names, pinyin, initials and numbers; starts of words and Chinese bigrams.
  haystack text not null,
  grams text[] not null,
  sort_name text collate "C" not null,
  primary key (institution_id, id),
  unique (institution_id, number),
  check (birth_date is not null or (age_given is not null and age_given_on is not null))
);
create index patient_by_visit on patient (institution_id, recent_visit_at desc, id desc) where deleted_at is null;
create index patient_by_creation on patient (institution_id, created_at desc, id desc) where deleted_at is null;
create index patient_by_name on patient (institution_id, sort_name, id) where deleted_at is null;
-- Without the pending list (fastupdate) every search finds the same cost.
create index patient_haystack on patient using gin (institution_id, haystack gin_trgm_ops) with (fastupdate = off);
create index patient_grams on patient using gin (institution_id, grams) with (fastupdate = off);
create index patient_same_name on patient (institution_id, lower(name), birth_date);
create index patient_same_papers on patient (institution_id, id_number) where id_number is not null;
select arcada_wall('patient', 'institution_id = arcada_iid()', 'select, insert, update');

-- Row-level security keeps LIKE and @> away from the indexes, since they are not leakproof: 45 ms instead of 2 at
-- 100,000 patients. This view belongs to arcada_system and holds the wall itself, so that both are had.
create view patient_living as
  select * from patient where institution_id = arcada_iid() and deleted_at is null;
grant create on schema public to arcada_system;
alter view patient_living owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on patient_living to arcada_app;
