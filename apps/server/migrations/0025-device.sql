-- Devices and their binding to clinics.

-- Devices belong to the service. While a device is bound, its clinic owns it. What it sent belongs to the clinic
-- permanently.
create table device (
  id uuid primary key,
  institution_id uuid references institution,
  -- Where the device stands; a clinic without an account has devices, too. The check is deferred, since two clinic
  -- records are joined and their devices moved in one transaction.
  clinic_id uuid references clinic deferrable initially deferred,
  product text not null,
  serial_number text not null,
  model text not null,
  firmware text,
  software_version text,
  name text,
  state text not null default 'unbound' check (state in ('unbound', 'bound', 'locked')),
  -- A keyed hash, since the code is short.
  code_hash text,
  code_expires_at timestamptz,
  code_used_at timestamptz,
  -- Created at each binding: a user who cannot sign in and under whose name the device writes.
  key_id uuid unique references users,
  key_hash text unique,
  key_begins text,
  -- Counts the requests of the current minute.
  minute timestamptz,
  calls int not null default 0,
  seen_at timestamptz,
  bound_at timestamptz,
  unbound_at timestamptz,
  locked_at timestamptz,
  lock_side text check (lock_side in ('clinic', 'service')),
  lock_code text,
  lock_reason text,
  created_by uuid references users,
  created_at timestamptz not null default now(),
  version int not null default 0,
  -- How many items wait on the device, as the device or its gateway last reported.
  waiting int,
  said_at timestamptz,
  check ((state = 'unbound') = (institution_id is null)),
  check ((state = 'unbound') = (key_hash is null)),
  check ((state = 'locked') = (locked_at is not null))
);
create unique index device_serial on device (product, lower(serial_number));
create index device_by_serial on device (lower(serial_number));
create index device_by_institution on device (institution_id) where institution_id is not null;
create index device_by_clinic on device (clinic_id) where clinic_id is not null;
select arcada_wall('device', 'institution_id = arcada_iid() or arcada_service()', 'select, insert, update');

-- A clinic's written consent to an unbinding that it cannot do itself. The file is in a store of its own.
create table device_consent (
  id uuid primary key,
  device_id uuid not null references device,
  name text not null,
  bytes bigint not null check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
select arcada_wall('device_consent', 'arcada_service()', 'select, insert, update, delete');

-- The history of a device. institution_id is the clinic that owned it at the time.
create table device_event (
  id uuid primary key,
  seq bigint generated always as identity,
  device_id uuid not null references device,
  institution_id uuid references institution,
  user_id uuid references users,
  side text not null check (side in ('clinic', 'service')),
  at timestamptz not null default clock_timestamp(),
  action text not null,
  to_state text not null,
  code text,
  reason text,
  work_order_id uuid,
  consent_id uuid references device_consent
);
create index device_event_by_device on device_event (device_id, seq);
create index device_event_by_institution on device_event (institution_id, device_id) where institution_id is not null;
select arcada_wall('device_event', 'institution_id = arcada_iid() or arcada_service()', 'select, insert');

-- Wrong activation codes, by account.
create table device_try (
  user_id uuid not null references users,
  at timestamptz not null default clock_timestamp()
);
create index device_try_by_user on device_try (user_id, at);
create index device_try_age on device_try (at);
select arcada_wall('device_try', 'user_id = arcada_uid()');
