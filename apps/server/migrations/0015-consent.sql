-- Consents of patients.

-- A consent that a patient gave. It is valid while withdrawn_at is null; nothing is overwritten.
create table consent (
  institution_id uuid not null references institution,
  id uuid not null,
  patient_id uuid not null,
  kind text not null check (kind in ('treatment', 'imaging', 'dataUse', 'sharing', 'training')),
  text_version text not null,
  -- The text that was shown on the screen; null for a consent on paper.
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
