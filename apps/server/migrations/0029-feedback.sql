-- Reports of after-sales staff about device software.

-- Software faults that after-sales staff reported.
create table software_feedback (
  id uuid primary key,
  number bigint generated always as identity unique,
  -- The registered device on which the fault was seen, and the clinic where it stood at the time.
  device_id uuid references device,
  clinic_id uuid references clinic,
  product text not null,
  model text,
  software_version text not null,
  ct_detector_type text,
  ct_detector_serial text,
  lateral_detector_type text,
  lateral_detector_serial text,
  device_address text,
  page text not null check (page in ('patient', 'scan', 'viewing', 'reporting', 'tool', 'other')),
  description text not null,
  state text not null default 'open' check (state in ('open', 'answered', 'fixed')),
  -- The version that contains the fix.
  fixed_in text,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  version int not null default 0,
  check ((state = 'fixed') = (fixed_in is not null))
);
create index software_feedback_by_device on software_feedback (device_id);
create index software_feedback_by_clinic on software_feedback (clinic_id);
create index software_feedback_by_version on software_feedback (product, software_version);
create index software_feedback_fixed_in on software_feedback (product, fixed_in) where fixed_in is not null;
select arcada_wall('software_feedback', 'arcada_service()', 'select, insert, update');

-- Answers and decisions about a report.
create table feedback_word (
  feedback_id uuid not null references software_feedback,
  id uuid primary key,
  user_id uuid not null references users,
  action text not null check (action in ('answer', 'add', 'fix', 'reopen')),
  text text not null,
  fixed_in text,
  at timestamptz not null default now()
);
create index feedback_word_by_feedback on feedback_word (feedback_id, at, id);
select arcada_wall('feedback_word', 'arcada_service()', 'select, insert');

-- Images of the fault; sha256 is null during the upload.
create table feedback_file (
  feedback_id uuid not null references software_feedback,
  id uuid primary key,
  name text not null,
  bytes bigint not null,
  -- The hash of the re-encoded image that is shown.
  sha256 text,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index feedback_file_by_feedback on feedback_file (feedback_id, created_at, id);
select arcada_wall('feedback_file', 'arcada_service()');
