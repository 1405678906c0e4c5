-- Messages of HL7 version 2.

-- Systems of a hospital or practice. Each is also a technical user, in whose name its messages change records.
create table hl7_connection (
  institution_id uuid not null references institution,
  id uuid not null references users,
  name text not null,
  -- MSH-3 and MSH-4 of its messages.
  application text not null,
  facility text not null default '',
  -- MSH-5 and MSH-6 of its messages; '': they are not compared.
  receiver text not null default '',
  receiver_facility text not null default '',
  -- The assigning authority of the number that counts; '': the first number.
  authority text not null default '',
  creates_patients boolean not null,
  results text not null default 'off' check (results in ('off', 'pdf', 'link')),
  host text not null default '',
  port int not null check (port between 1 and 65535),
  tls boolean not null,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  received_at timestamptz,
  reached_at timestamptz,
  failed_at timestamptz,
  problem text,
  primary key (institution_id, id)
);
create unique index hl7_connection_sender on hl7_connection (institution_id, lower(application), lower(facility));
select arcada_wall('hl7_connection', 'institution_id = arcada_iid()');

-- Requests for images, which the work list of devices shows and which results name.
create table hl7_order (
  institution_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  patient_id uuid not null,
  placer text not null,
  filler text not null,
  accession text not null,
  code text not null,
  description text not null,
  reason text not null,
  requester text not null,
  teeth int[] not null default '{}',
  -- Local time of the clinic.
  scheduled_at timestamp,
  state text not null default 'open' check (state in ('open', 'reported', 'cancelled')),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (institution_id, id),
  unique (institution_id, connection_id, placer),
  foreign key (institution_id, connection_id) references hl7_connection on delete cascade,
  foreign key (institution_id, patient_id) references patient on delete cascade
);
create index hl7_order_by_patient on hl7_order (institution_id, patient_id);
create index hl7_order_open on hl7_order (institution_id, scheduled_at) where state = 'open';
select arcada_wall('hl7_order', 'institution_id = arcada_iid()');

-- The log of both directions. The text of a message is not kept.
create table hl7_message (
  institution_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  direction text not null check (direction in ('in', 'out')),
  control_id text not null,
  -- SHA-256 of a received message without its time, so that one which comes again is found.
  digest text,
  type text not null,
  state text not null check (state in
    ('done', 'waiting', 'ignored', 'refused', 'dismissed', 'queued', 'sending', 'sent', 'failed', 'cancelled')),
  reason text,
  problem text,
  detail text,
  patient_id uuid,
  -- The record that a merge would end.
  other_patient_id uuid,
  -- The content of a message, while a person has to decide about it.
  intent jsonb,
  -- The acknowledgement that its sender got.
  reply text,
  report_id uuid,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  finished_at timestamptz,
  decided_by uuid references users,
  primary key (institution_id, id),
  foreign key (institution_id, connection_id) references hl7_connection on delete cascade,
  foreign key (institution_id, patient_id) references patient on delete cascade,
  foreign key (institution_id, other_patient_id) references patient on delete cascade,
  foreign key (institution_id, report_id) references report on delete cascade,
  check ((direction = 'in') = (digest is not null)),
  check ((direction = 'out') = (report_id is not null))
);
create unique index hl7_message_once on hl7_message (institution_id, connection_id, control_id, digest) where direction = 'in';
create unique index hl7_message_report on hl7_message (institution_id, connection_id, report_id) where direction = 'out';
create index hl7_message_log on hl7_message (institution_id, id desc);
create index hl7_message_waiting on hl7_message (institution_id, id) where state = 'waiting';
create index hl7_message_by_patient on hl7_message (institution_id, patient_id) where patient_id is not null;
create index hl7_message_by_other on hl7_message (institution_id, other_patient_id) where other_patient_id is not null;
create index hl7_message_by_report on hl7_message (institution_id, report_id) where report_id is not null;
create index hl7_message_age on hl7_message (created_at);
select arcada_wall('hl7_message', 'institution_id = arcada_iid()');
