-- Software packages for devices.

-- A package that the operator uploads. It becomes an upgrade package with the same id when it is published.
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
  -- The name of the trusted key that verified the signature.
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
-- A version always means the same bytes, even after it was withdrawn.
create unique index upgrade_package_once on upgrade_package (product, version_key);
select arcada_wall('upgrade_package', 'arcada_service()', 'select, insert, update');
-- A clinic sees the packages that are published for its own devices; the policy of `device` hides all others. The
-- program that clinics and laboratories run as gateway or agent is for every organisation.
create policy for_owners on upgrade_package for select to arcada_app using (
  state = 'published' and (starts_with(product, 'Arcada Gateway ')
    or exists (select from device d where d.institution_id = arcada_iid() and d.product = upgrade_package.product)));

-- Downloads of a package: by a person, or by a device with its own key.
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
