create sequence order_number start 100001;
grant usage on sequence order_number to arcada_app, arcada_system;

-- institution_id is the sender; the receiver sees a row from its hand-over on.
create table orders (
  institution_id uuid not null references institution,
  id uuid not null,
  number text not null unique,
  receiver_id uuid references institution,
  creator_id uuid not null references users,
  assignee_id uuid references users,
  state text not null,
  -- Who must act now; turn_after: who must once an open question is answered.
  turn text not null check (turn in ('sender', 'receiver', 'nobody')),
  turn_after text not null check (turn_after in ('sender', 'receiver', 'nobody')),
  step text not null,
  -- Which side prepares a transfer while it stands in awaiting_sending.
  holder text not null default 'sender' check (holder in ('sender', 'receiver')),
  version int not null default 0,
  case_type text not null,
  rx jsonb not null,
  rx_revision int not null default 1,
  patient_id uuid not null,
  -- As the receiver knows the patient, kept at hand-over: masked where the sender hides names.
  patient_name text,
  patient_number text,
  name_masked boolean not null default false,
  scheme_revision int not null default 0,
  design_revision int not null default 0,
  due_date date,
  promised_date date,
  carrier text,
  tracking_number text,
  hand_delivery boolean not null default false,
  redelivery_count int not null default 0,
  info_request text,
  info_asked_at timestamptz,
  cancel_request text,
  copied_from uuid,
  remake_of uuid,
  parent_id uuid,
  resume_state text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  handed_over_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid references users,
  submitted_at timestamptz,
  dispatched_at timestamptz,
  completed_at timestamptz,
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient,
  check (receiver_id <> institution_id),
  check (handed_over_at is null or (state <> 'draft' and receiver_id is not null)),
  check (state <> 'awaiting_sending' or holder = 'receiver' or handed_over_at is null)
);
create index orders_by_id on orders (id);
create index orders_sent on orders (institution_id, updated_at desc, id desc);
create index orders_received on orders (receiver_id, updated_at desc, id desc) where handed_over_at is not null;
create index orders_of_patient on orders (institution_id, patient_id);
create index orders_in_transfer on orders (updated_at) where state = 'awaiting_sending';
create index orders_on_their_way on orders (dispatched_at) where state = 'awaiting_receipt';
select arcada_wall('orders', 'institution_id = arcada_iid()');
create policy received on orders for select to arcada_app using (receiver_id = arcada_iid() and handed_over_at is not null);
create policy worked on orders for update to arcada_app
  using (receiver_id = arcada_iid() and handed_over_at is not null)
  with check (receiver_id = arcada_iid() and handed_over_at is not null);

-- The states in which the receiver reads the whole order; `receiverRights` of the contract says the same.
create function order_read_by_receiver(state text) returns boolean language sql immutable parallel safe
  as $$ select state not in ('draft', 'cancelled', 'refused') $$;

-- Prescriptions as they were handed over, and after each change that an answer brought.
create table order_rx (
  institution_id uuid not null,
  order_id uuid not null,
  revision int not null,
  rx jsonb not null,
  at timestamptz not null default now(),
  user_id uuid references users,
  primary key (institution_id, order_id, revision),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_rx', 'institution_id = arcada_iid()', 'select, insert');

create table order_revision (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('scheme', 'design')),
  number int not null,
  -- Over its text and the content of its files: what a confirmation names.
  hash text not null,
  text text,
  state text not null check (state in ('submitted', 'confirmed', 'returned', 'withdrawn', 'voided')),
  user_id uuid not null references users,
  created_at timestamptz not null default now(),
  decided_by uuid references users,
  decided_at timestamptz,
  primary key (institution_id, order_id, id),
  unique (institution_id, order_id, kind, number),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_revision', 'institution_id = arcada_iid()', 'select, insert, update');
create policy received on order_revision to arcada_app using (exists (
  select from orders o where o.institution_id = order_revision.institution_id and o.id = order_revision.order_id and o.receiver_id = arcada_iid()));

-- A file of an order. A volume stands here once, by its study; owner_id is the organisation in whose store the bytes lie.
create table order_file (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  owner_id uuid not null references institution,
  side text not null check (side in ('sender', 'receiver')),
  role text not null,
  name text not null,
  content text not null,
  sha256 text not null,
  bytes bigint not null,
  study_id uuid,
  revision_id uuid,
  added_by uuid references users,
  created_at timestamptz not null default now(),
  place int not null default 0,
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
create index order_file_by_study on order_file (institution_id, study_id) where study_id is not null;
-- Who still needs a stored file, before it is removed.
create index order_file_by_content on order_file (owner_id, sha256);
select arcada_wall('order_file', 'institution_id = arcada_iid()');
create policy received on order_file for select to arcada_app using (exists (
  select from orders o where o.institution_id = order_file.institution_id and o.id = order_file.order_id
    and o.receiver_id = arcada_iid() and (order_file.side = 'receiver' or order_read_by_receiver(o.state))));
-- Without a study: naming one of the sender's would open it to the receiver.
create policy made on order_file for insert to arcada_app with check (side = 'receiver' and owner_id = arcada_iid() and study_id is null and exists (
  select from orders o where o.institution_id = order_file.institution_id and o.id = order_file.order_id and o.receiver_id = arcada_iid()));

create table order_event (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  -- Several events of one transaction may share their millisecond.
  seq bigint generated always as identity,
  at timestamptz(3) not null default clock_timestamp(),
  action text not null,
  from_state text,
  to_state text not null,
  user_id uuid references users,
  side text not null check (side in ('sender', 'receiver', 'system')),
  text text,
  revision int,
  changed text[],
  -- Before the hand-over: nobody but the sender was there.
  inner_only boolean not null,
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_event', 'institution_id = arcada_iid()', 'select, insert');
create policy received on order_event to arcada_app using (not inner_only and exists (
  select from orders o where o.institution_id = order_event.institution_id and o.id = order_event.order_id and o.receiver_id = arcada_iid()));

create table order_message (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null default clock_timestamp(),
  user_id uuid not null references users,
  side text not null check (side in ('sender', 'receiver')),
  text text not null,
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_message', 'institution_id = arcada_iid()', 'select, insert');
create policy received on order_message to arcada_app using (exists (
  select from orders o where o.institution_id = order_message.institution_id and o.id = order_message.order_id and o.receiver_id = arcada_iid()));

-- An order gives its receiver the studies that go along, while it reads the order.
create policy received on study for select to arcada_app using (exists (
  select from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
  where f.institution_id = study.institution_id and f.study_id = study.id
    and o.receiver_id = arcada_iid() and order_read_by_receiver(o.state)));
create policy received on series for select to arcada_app using (exists (
  select from study s where s.institution_id = series.institution_id and s.id = series.study_id));
create policy received on instance for select to arcada_app using (exists (
  select from study s where s.institution_id = instance.institution_id and s.id = instance.study_id));
create policy received on converted_file for select to arcada_app using (exists (
  select from study s where s.institution_id = converted_file.institution_id and s.id = converted_file.study_id));
create policy received on study_marks for select to arcada_app using (exists (
  select from study s where s.institution_id = study_marks.institution_id and s.id = study_marks.study_id));
create index study_by_id on study (id);
