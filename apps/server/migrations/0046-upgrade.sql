-- What people who look after devices found wrong with their software.
create table software_feedback (
  id uuid primary key,
  number bigint generated always as identity unique,
  -- The registered device that it was seen on, and the clinic where that stood at the time.
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
  -- The version in which it is mended.
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

-- What was said and decided about it afterwards.
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

-- Pictures of what is wrong; without a sum while their bytes come in.
create table feedback_file (
  feedback_id uuid not null references software_feedback,
  id uuid primary key,
  name text not null,
  bytes bigint not null,
  -- Of the picture as it is shown, which was set anew.
  sha256 text,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index feedback_file_by_feedback on feedback_file (feedback_id, created_at, id);
select arcada_wall('feedback_file', 'arcada_service()');

-- A package whose bytes the operator sends; it becomes a package of the same id when it is published.
create table package_arrival (
  id uuid primary key,
  file_name text not null,
  bytes bigint not null,
  sha256 text,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
select arcada_wall('package_arrival', 'arcada_service()');

create table upgrade_package (
  id uuid primary key,
  name text not null,
  product text not null,
  version text not null,
  -- Sorts as versions do.
  version_key text not null collate "C",
  description text not null,
  file_name text not null,
  sha256 text not null,
  bytes bigint not null,
  algorithm text not null default 'Ed25519' check (algorithm = 'Ed25519'),
  signature text not null,
  -- The name of the trusted key whose signature was found good.
  signed_by text not null,
  state text not null default 'published' check (state in ('published', 'withdrawn')),
  published_by uuid not null references users,
  published_at timestamptz not null default now(),
  withdrawn_by uuid references users,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  check ((state = 'withdrawn') = (withdrawn_at is not null)),
  check ((state = 'withdrawn') = (withdrawal_reason is not null))
);
-- A version means the same bytes for ever, also when it has been withdrawn.
create unique index upgrade_package_once on upgrade_package (product, version_key);
select arcada_wall('upgrade_package', 'arcada_service()', 'select, insert, update');
-- A clinic sees what is published for a device of its own; device has a wall that shows it no other.
create policy for_owners on upgrade_package for select to arcada_app using (
  state = 'published' and exists (select from device d where d.institution_id = arcada_iid() and d.product = upgrade_package.product));

-- Who fetched a package: a person, or a device by its own key.
create table package_download (
  package_id uuid not null references upgrade_package,
  id uuid primary key,
  user_id uuid references users,
  device_id uuid references device,
  institution_id uuid references institution,
  at timestamptz not null default now(),
  check ((user_id is null) <> (device_id is null))
);
create index package_download_by_package on package_download (package_id, at);
select arcada_wall('package_download', 'arcada_service()', 'select, insert');
