-- What was found and done when a patient was here. `content`: visit.calls.ts of the contract.
create table visit (
  institution_id uuid not null references institution,
  id uuid not null,
  patient_id uuid not null,
  at timestamptz(3) not null,
  dentist_id uuid not null references users,
  content jsonb not null,
  version int not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null default now(),
  changed_by uuid not null references users,
  changed_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  deleted_by uuid references users,
  delete_reason text,
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index visit_by_patient on visit (institution_id, patient_id, at desc, id desc);
create index visit_binned on visit (deleted_at) where deleted_at is not null;
select arcada_wall('visit', 'institution_id = arcada_iid()');

-- What a visit said before it was changed.
create table visit_version (
  institution_id uuid not null,
  visit_id uuid not null,
  version int not null,
  at timestamptz(3) not null,
  dentist_id uuid not null references users,
  content jsonb not null,
  saved_by uuid not null references users,
  saved_at timestamptz(3) not null,
  primary key (institution_id, visit_id, version),
  foreign key (institution_id, visit_id) references visit on delete cascade
);
select arcada_wall('visit_version', 'institution_id = arcada_iid()', 'select, insert');

create table visit_file (
  institution_id uuid not null,
  visit_id uuid not null,
  id uuid not null,
  name text not null,
  bytes bigint not null,
  sha256 text not null,
  added_by uuid not null references users,
  added_at timestamptz(3) not null default now(),
  primary key (institution_id, visit_id, id),
  foreign key (institution_id, visit_id) references visit on delete cascade
);
create index visit_file_by_content on visit_file (institution_id, sha256);
select arcada_wall('visit_file', 'institution_id = arcada_iid()');

-- What a patient agreed to. It stands while withdrawn_at is null; nothing is overwritten.
create table consent (
  institution_id uuid not null references institution,
  id uuid not null,
  patient_id uuid not null,
  kind text not null check (kind in ('treatment', 'imaging', 'dataUse', 'sharing', 'training')),
  text_version text not null,
  -- The words that stood on the screen; null where a paper holds them.
  words text,
  how text not null check (how in ('paper', 'screen')),
  given_by text not null,
  given_for text not null check (given_for in ('self', 'guardian')),
  given_at timestamptz(3) not null,
  scan_sha256 text,
  scan_name text,
  scan_bytes bigint,
  note text,
  recorded_by uuid not null references users,
  recorded_at timestamptz(3) not null default now(),
  withdrawn_at timestamptz(3),
  withdrawn_by text,
  withdrawn_note text,
  withdrawal_recorded_by uuid references users,
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient on delete cascade,
  check ((withdrawn_at is null) = (withdrawn_by is null)),
  check ((scan_sha256 is null) = (scan_name is null))
);
create index consent_by_patient on consent (institution_id, patient_id, given_at desc);
create index consent_standing on consent (institution_id, kind, patient_id) where withdrawn_at is null;
create index consent_by_content on consent (institution_id, scan_sha256) where scan_sha256 is not null;
select arcada_wall('consent', 'institution_id = arcada_iid()');

-- How many years after the last visit a record must be kept; null: as the organisation's country has it.
alter table institution add column retention_years int check (retention_years between 0 and 100);

-- One patient's data on their way into an archive: who asked, and for how long the address is good.
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

-- Photographs have a mount of their own beside the films'.
alter table film_mount add column kind text not null default 'films' check (kind in ('films', 'photos'));
alter table film_mount drop constraint film_mount_pkey, add primary key (institution_id, patient_id, kind);
