-- Work orders of after-sales.

-- Work orders are numbered within each day.
create table work_order_counter (
  day date primary key,
  last int not null
);
select arcada_wall('work_order_counter', 'arcada_service()', 'select');

-- institution_id is the organisation of the clinic if it has an account: it sees its own work orders, but no internal
-- notes.
create table work_order (
  id uuid primary key,
  number text not null unique,
  type text not null check (type in ('installation', 'move_machine', 'repair')),
  state text not null default 'new'
    check (state in ('new', 'in_progress', 'transfer_review', 'acceptance_review', 'finished', 'closed')),
  clinic_id uuid not null references clinic,
  institution_id uuid references institution,
  -- Null: the device is registered when its installation is accepted.
  device_id uuid references device,
  product text not null,
  model text not null,
  serial_number text not null,
  description text not null,
  contact text not null,
  contact_phone text not null,
  alternate_contact text,
  alternate_phone text,
  tracking_number text,
  to_clinic_id uuid references clinic,
  to_address text,
  assignee_id uuid references users,
  alternate_id uuid references users,
  -- The appointment at the clinic, how often it was changed, and the appointment that was recalled.
  planned_at timestamptz(0),
  plan_changes int not null default 0,
  recalled_at timestamptz(0),
  reviewer_id uuid references users,
  created_by uuid not null references users,
  created_side text not null check (created_side in ('clinic', 'service')),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  submitted_at timestamptz,
  finished_at timestamptz,
  closed_at timestamptz,
  outcome text check (outcome in ('done', 'void')),
  rework_count int not null default 0,
  -- The serial number as read at the device when the work was finished.
  finish_serial text not null default '',
  finish_description text not null default '',
  finish_parts jsonb not null default '[]',
  -- Search columns like those of `patient`.
  haystack text not null,
  grams text[] not null,
  version int not null default 0,
  check ((state = 'closed') = (closed_at is not null)),
  check ((state = 'closed') = (outcome is not null)),
  check (assignee_id is not null or state in ('new', 'closed')),
  check (assignee_id <> alternate_id)
);
create index work_order_by_state on work_order (state, id desc);
create index work_order_by_assignee on work_order (assignee_id, id desc) where assignee_id is not null;
create index work_order_by_clinic on work_order (clinic_id, id desc);
create index work_order_by_institution on work_order (institution_id, id desc) where institution_id is not null;
create index work_order_by_device on work_order (device_id, id desc) where device_id is not null;
create index work_order_planned on work_order (planned_at) where planned_at is not null and state in ('new', 'in_progress');
create index work_order_by_plan on work_order (coalesce(planned_at, 'infinity'), id);
create index work_order_to_close on work_order (finished_at) where state = 'finished';
create index work_order_haystack on work_order using gin (haystack gin_trgm_ops) with (fastupdate = off);
create index work_order_grams on work_order using gin (grams) with (fastupdate = off);
-- A list of the work orders that a person may read or has reported reads at most one page for each reason.
create index work_order_by_alternate on work_order (alternate_id, id desc) where alternate_id is not null;
create index work_order_by_creator on work_order (created_by, id desc);
-- Few clinics have open work, while most work orders are finished.
create index work_order_open on work_order (clinic_id) where state not in ('finished', 'closed');
select arcada_wall('work_order', 'institution_id = arcada_iid() or arcada_service()', 'select, insert, update');

-- Transitions and notes, which together form the troubleshooting log.
create table work_order_event (
  id uuid primary key,
  seq bigint generated always as identity,
  work_order_id uuid not null references work_order,
  institution_id uuid references institution,
  user_id uuid references users,
  at timestamptz not null default clock_timestamp(),
  -- Null: a note.
  action text,
  to_state text,
  text text,
  inner_only boolean not null
);
create index work_order_event_by_order on work_order_event (work_order_id, seq);
create index work_order_event_by_user on work_order_event (user_id, work_order_id desc) include (action)
  where user_id is not null;
select arcada_wall('work_order_event', '(institution_id = arcada_iid() and not inner_only) or arcada_service()',
  'select, insert');

-- The files are in a store of the work order and count against no organisation's quota. sha256 is null during the
-- upload.
create table work_order_file (
  id uuid primary key,
  work_order_id uuid not null references work_order,
  institution_id uuid references institution,
  role text not null check (role in ('report', 'picture', 'attachment', 'receipt')),
  name text not null,
  bytes bigint not null check (bytes > 0),
  content text,
  sha256 text,
  -- Copies of an image without the camera's metadata, made after the upload.
  shown_sha256 text,
  shown_width int,
  shown_height int,
  thumbnail_sha256 text,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index work_order_file_by_order on work_order_file (work_order_id, id);
create index work_order_file_sending on work_order_file (created_at) where sha256 is null;
select arcada_wall('work_order_file', 'institution_id = arcada_iid() or arcada_service()');

-- Who has opened a work order since it was assigned to them.
create table work_order_read (
  work_order_id uuid not null references work_order,
  user_id uuid not null references users,
  at timestamptz not null default now(),
  primary key (work_order_id, user_id)
);
select arcada_wall('work_order_read', 'user_id = arcada_uid() or arcada_service()');
