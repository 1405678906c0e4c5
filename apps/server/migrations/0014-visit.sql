-- Visits of patients.

-- The record of a visit. `content`: see visit.calls.ts of the contract.
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

-- Earlier versions of a visit.
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
