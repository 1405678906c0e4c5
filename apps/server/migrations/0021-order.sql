-- Orders from clinics to laboratories, and from laboratories to others.

create sequence order_number start 100001;
grant usage on sequence order_number to arcada_app;
-- An import keeps the numbers of its orders and moves the sequence beyond them.
grant usage, update on sequence order_number to arcada_system;

-- The states in which the receiver reads the whole order; the same as `receiverRights` of the contract.
create function order_read_by_receiver(state text) returns boolean language sql immutable parallel safe
  as $$ select state not in ('draft', 'cancelled', 'refused') $$;

-- The states in order of progress, the first with the highest rank, so that one descending scan returns the newest
-- orders of each state first.
create function order_rank(state text) returns int language sql immutable parallel safe
  as $$ select 12 - coalesce(array_position(array['draft', 'awaiting_sending', 'pending', 'awaiting_scheme', 'awaiting_design',
    'awaiting_dispatch', 'awaiting_receipt', 'forwarded', 'completed', 'cancelled', 'refused'], state), 12) $$;

-- Search terms for an order number: as it is written, and without its dash.
create function order_haystack(number text) returns text language sql immutable parallel safe
  as $$ select lower(number) || E'\n' || replace(number, '-', '') $$;
create function order_grams(number text) returns text[] language sql immutable parallel safe
  as $$ select array[left(number, 1), left(number, 2), left(split_part(number, '-', 2), 1), left(split_part(number, '-', 2), 2)] $$;

-- institution_id is the sender. The receiver sees a row from the hand-over on.
create table orders (
  institution_id uuid not null references institution,
  id uuid not null,
  number text not null unique,
  receiver_id uuid references institution,
  -- The person in charge on the sender's side.
  creator_id uuid not null references users,
  assignee_id uuid references users,
  state text not null,
  -- Who must act now. turn_after: who must act once an open question is answered.
  turn text not null check (turn in ('sender', 'receiver', 'nobody')),
  turn_after text not null check (turn_after in ('sender', 'receiver', 'nobody')),
  step text not null,
  -- Which side prepares the transfer while the order is in awaiting_sending.
  holder text not null default 'sender' check (holder in ('sender', 'receiver')),
  version int not null default 0,
  case_type text not null,
  rx jsonb not null,
  rx_revision int not null default 1,
  -- Null in a child order: a lab creates it and has no patient records. The order carries the name that the lab was
  -- told.
  patient_id uuid,
  -- The patient's name for the receiver, kept at hand-over; masked if the sender hides names.
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
  -- In a child order: the work is delivered directly to the parent's sender, who may know who makes it.
  straight boolean not null default false,
  named_above boolean not null default false,
  -- The open proposal to change the prescription.
  change_request uuid,
  remake_class text,
  remake_bears text,
  -- The number of days after dispatch at which the sender was last reminded of the receipt.
  receipt_reminded int not null default 0,
  -- Whether the lab may share this order by link; null: as the prescription says.
  receiver_shares boolean,
  -- The creator of the order, if creator_id has become the person in charge; null: the same person.
  made_by uuid references users,
  primary key (institution_id, id),
  foreign key (institution_id, patient_id) references patient,
  check (receiver_id <> institution_id),
  check (handed_over_at is null or (state <> 'draft' and receiver_id is not null)),
  check (state <> 'awaiting_sending' or holder = 'receiver' or handed_over_at is null),
  constraint orders_about_somebody check (patient_id is not null or parent_id is not null)
);
create index orders_by_id on orders (id);
create index orders_sent on orders (institution_id, updated_at desc, id desc);
create index orders_received on orders (receiver_id, updated_at desc, id desc) where handed_over_at is not null;
create index orders_of_patient on orders (institution_id, patient_id);
create index orders_in_transfer on orders (updated_at) where state = 'awaiting_sending';
create index orders_on_their_way on orders (dispatched_at) where state = 'awaiting_receipt';
-- Open orders between two organisations, for the network view and for the end of a relationship.
create index orders_between on orders (institution_id, receiver_id)
  where handed_over_at is not null and state not in ('completed', 'cancelled', 'refused');
create index orders_children on orders (parent_id) where parent_id is not null;
create index orders_remakes on orders (remake_of) where remake_of is not null;
create index orders_copies on orders (copied_from) where copied_from is not null;
create index orders_sent_by_state on orders (institution_id, order_rank(state), updated_at, id);
create index orders_received_by_state on orders (receiver_id, order_rank(state), updated_at, id)
  where handed_over_at is not null;
create index orders_sent_by_due on orders (institution_id, coalesce(promised_date, due_date, 'infinity'), id);
create index orders_received_by_due on orders (receiver_id, coalesce(promised_date, due_date, 'infinity'), id)
  where handed_over_at is not null;
-- Orders that have not ended, by state and by who must act: the page for the day and the board count each stage and read a
-- few of it without those that have ended. A state in a query implies the condition.
create index orders_sent_tasks on orders
  (institution_id, order_rank(state), turn, coalesce(promised_date, due_date, 'infinity'), id) where order_rank(state) > 3;
create index orders_received_tasks on orders
  (receiver_id, order_rank(state), turn, coalesce(promised_date, due_date, 'infinity'), id)
  where handed_over_at is not null and order_rank(state) > 3;
create index orders_sent_waiting on orders (institution_id, updated_at, id) where turn = 'sender';
create index orders_received_waiting on orders (receiver_id, updated_at, id)
  where turn = 'receiver' and handed_over_at is not null;
create index orders_sent_by_person on orders (institution_id, creator_id, updated_at, id);
create index orders_received_by_person on orders (receiver_id, assignee_id, updated_at, id)
  where handed_over_at is not null;
-- The statistics of an organisation: orders by the day of completion, remakes and redeliveries. Only a completed order
-- has that day, and a comparison with it implies the condition, in the list of orders as well.
create index orders_sent_done on orders (institution_id, completed_at)
  include (receiver_id, creator_id, handed_over_at, accepted_at, dispatched_at, due_date, promised_date)
  where completed_at is not null;
create index orders_received_done on orders (receiver_id, completed_at)
  include (institution_id, assignee_id, handed_over_at, accepted_at, dispatched_at, due_date, promised_date)
  where completed_at is not null and handed_over_at is not null;
create index orders_sent_again on orders (institution_id, updated_at)
  where remake_of is not null or redelivery_count > 0;
create index orders_received_again on orders (receiver_id, updated_at)
  where (remake_of is not null or redelivery_count > 0) and handed_over_at is not null;
select arcada_wall('orders', 'institution_id = arcada_iid()');
create policy received on orders for select to arcada_app
  using (receiver_id = arcada_iid() and handed_over_at is not null);
create policy worked on orders for update to arcada_app
  using (receiver_id = arcada_iid() and handed_over_at is not null)
  with check (receiver_id = arcada_iid() and handed_over_at is not null);

-- Prescriptions as they were handed over, and after each accepted change.
create table order_rx (
  institution_id uuid not null,
  order_id uuid not null,
  revision int not null,
  rx jsonb not null,
  at timestamptz not null default now(),
  user_id uuid references users,
  -- The parts of the prescription that the order keeps in columns of its own; null in revisions that do not know them.
  case_type text,
  due_date date,
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
  -- A hash of the text and of the files' contents. A confirmation names this hash.
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
-- Every such policy excludes one's own rows first: PostgreSQL examines it before the one of the wall. Where an
-- order may have many rows, "offset 0" keeps PostgreSQL from reading all orders of the receiver to check them.
create policy received on order_revision to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_revision.institution_id and o.id = order_revision.order_id
    and o.receiver_id = arcada_iid()));

-- Who opened which scheme or design. A person approves only a design that this person has opened.
create table order_revision_opening (
  institution_id uuid not null,
  order_id uuid not null,
  revision_id uuid not null,
  user_id uuid not null references users,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (institution_id, order_id, revision_id, user_id),
  foreign key (institution_id, order_id, revision_id) references order_revision on delete cascade
);
select arcada_wall('order_revision_opening', 'institution_id = arcada_iid()', 'select, insert');
create policy received on order_revision_opening to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_revision_opening.institution_id
    and o.id = order_revision_opening.order_id and o.receiver_id = arcada_iid()));

-- The files of an order. A volume appears once, by its study. owner_id is the organisation whose store holds the bytes.
create table order_file (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  owner_id uuid not null references institution,
  side text not null check (side in ('sender', 'receiver')),
  role text not null,
  name text not null,
  -- The kind of the content, recognised by its bytes.
  content text not null,
  sha256 text not null,
  bytes bigint not null,
  study_id uuid,
  revision_id uuid,
  added_by uuid references users,
  created_at timestamptz not null default now(),
  place int not null default 0,
  -- The proposal that brought the file. The file belongs to the order once the proposal is accepted.
  proposal_id uuid,
  -- The message that brought the file.
  message_id uuid,
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
create index order_file_by_study on order_file (institution_id, study_id) where study_id is not null;
-- Finds the rows that still need a stored file before it is removed.
create index order_file_by_content on order_file (owner_id, sha256);
-- A child order gives the studies of its first sender to a lab that the sender does not know.
create index order_file_lent on order_file (owner_id, study_id)
  where study_id is not null and institution_id <> owner_id;
select arcada_wall('order_file', 'institution_id = arcada_iid()');
create policy received on order_file for select to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_file.institution_id and o.id = order_file.order_id
    and o.receiver_id = arcada_iid() and (order_file.side = 'receiver' or order_read_by_receiver(o.state)) offset 0));
-- The receiver must not name a study: that would open the sender's study to the receiver.
create policy made on order_file for insert to arcada_app
  with check (side = 'receiver' and owner_id = arcada_iid() and study_id is null and exists (
  select from orders o where o.institution_id = order_file.institution_id and o.id = order_file.order_id
    and o.receiver_id = arcada_iid()));

create table order_event (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  -- Several events of one transaction may share a millisecond.
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
  -- True before the hand-over, when only the sender saw the order.
  inner_only boolean not null,
  code text,
  faults jsonb,
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_event', 'institution_id = arcada_iid()', 'select, insert');
create policy received on order_event to arcada_app using (institution_id <> arcada_iid() and not inner_only and exists (
  select from orders o where o.institution_id = order_event.institution_id and o.id = order_event.order_id
    and o.receiver_id = arcada_iid() offset 0));

create table order_message (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null default clock_timestamp(),
  user_id uuid not null references users,
  side text not null check (side in ('sender', 'receiver')),
  text text not null,
  -- The people whom it calls by name.
  mentions uuid[] not null default '{}',
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_message', 'institution_id = arcada_iid()', 'select, insert');
create policy received on order_message to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_message.institution_id and o.id = order_message.order_id
    and o.receiver_id = arcada_iid() offset 0));

-- The last message of an order that each person has read.
create table order_reading (
  institution_id uuid not null,
  order_id uuid not null,
  user_id uuid not null references users,
  side text not null check (side in ('sender', 'receiver')),
  up_to timestamptz(3) not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (institution_id, order_id, user_id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_reading', 'institution_id = arcada_iid()', 'select, insert, update');
create policy received on order_reading to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_reading.institution_id and o.id = order_reading.order_id
    and o.receiver_id = arcada_iid()));

-- Comments at positions on a model. They belong to the content of the file (SHA-256), since another revision has
-- another surface.
create table order_pin (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  number int not null,
  file_id uuid not null,
  surface text not null,
  -- Coordinates in the file's own space, in mm.
  x float8 not null,
  y float8 not null,
  z float8 not null,
  text text not null,
  user_id uuid not null references users,
  side text not null check (side in ('sender', 'receiver')),
  at timestamptz(3) not null default clock_timestamp(),
  settled_by uuid references users,
  settled_at timestamptz(3),
  primary key (institution_id, order_id, id),
  unique (institution_id, order_id, number),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_pin', 'institution_id = arcada_iid()');
create policy received on order_pin to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_pin.institution_id and o.id = order_pin.order_id
    and o.receiver_id = arcada_iid() and order_read_by_receiver(o.state)));

create table order_pin_answer (
  institution_id uuid not null,
  order_id uuid not null,
  pin_id uuid not null,
  id uuid not null,
  text text not null,
  user_id uuid not null references users,
  side text not null check (side in ('sender', 'receiver')),
  at timestamptz(3) not null default clock_timestamp(),
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id, pin_id) references order_pin on delete cascade
);
create index order_pin_answer_by_pin on order_pin_answer (institution_id, order_id, pin_id);
select arcada_wall('order_pin_answer', 'institution_id = arcada_iid()', 'select, insert');
create policy received on order_pin_answer to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_pin_answer.institution_id and o.id = order_pin_answer.order_id
    and o.receiver_id = arcada_iid() and order_read_by_receiver(o.state)));

-- Display images of order files that belong to no study. side: length of the enclosing square in pixels.
create table order_picture (
  institution_id uuid not null references institution,
  original text not null check (original ~ '^[0-9a-f]{64}$'),
  side int not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (institution_id, original, side)
);
create index order_picture_by_content on order_picture (institution_id, sha256);
select arcada_wall('order_picture', 'institution_id = arcada_iid()');
create policy received on order_picture for select to arcada_app using (institution_id <> arcada_iid() and exists (
  select from order_file f where f.owner_id = order_picture.institution_id and f.sha256 = order_picture.original));

-- Streaming copies (GLB) of scans that came with orders, by the content of the original.
create table order_glb (
  institution_id uuid not null references institution,
  original text not null check (original ~ '^[0-9a-f]{64}$'),
  -- Null: the copy was removed because nobody used it for long. It is made again when somebody opens an order with the
  -- scan.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The largest distance that a vertex moved, in mm.
  error real not null,
  -- The coarse copy of a large scan, and its largest distance from the original, in mm.
  coarse_sha256 text check (coarse_sha256 ~ '^[0-9a-f]{64}$'),
  coarse_error real,
  used_at timestamptz not null default now(),
  primary key (institution_id, original)
);
create index order_glb_by_content on order_glb (institution_id, sha256);
create index order_glb_by_coarse_content on order_glb (institution_id, coarse_sha256) where coarse_sha256 is not null;
create index order_glb_unused on order_glb (used_at) where sha256 is not null;
select arcada_wall('order_glb', 'institution_id = arcada_iid()');
create policy received on order_glb for select to arcada_app using (institution_id <> arcada_iid() and exists (
  select from order_file f where f.owner_id = order_glb.institution_id and f.sha256 = order_glb.original));

create table order_proposal (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  rx jsonb not null,
  case_type text not null,
  due_date date,
  changed text[] not null,
  text text,
  state text not null check (state in ('open', 'accepted', 'declined', 'lapsed')),
  user_id uuid not null references users,
  created_at timestamptz(3) not null default clock_timestamp(),
  decided_by uuid references users,
  decided_at timestamptz(3),
  primary key (institution_id, order_id, id),
  foreign key (institution_id, order_id) references orders on delete cascade
);
select arcada_wall('order_proposal', 'institution_id = arcada_iid()', 'select, insert, update');
create policy received on order_proposal for select to arcada_app using (institution_id <> arcada_iid() and exists (
  select from orders o where o.institution_id = order_proposal.institution_id and o.id = order_proposal.order_id
    and o.receiver_id = arcada_iid() and order_read_by_receiver(o.state)));
create policy decided on order_proposal for update to arcada_app using (exists (
  select from orders o where o.institution_id = order_proposal.institution_id and o.id = order_proposal.order_id
    and o.receiver_id = arcada_iid()));

-- Templates for prescriptions: a person's own, or for everyone in the clinic.
create table order_template (
  institution_id uuid not null references institution,
  id uuid not null,
  user_id uuid not null references users,
  name text not null,
  for_all boolean not null,
  -- The lab for which the template is meant. With is_default, it fills the empty fields when that lab is chosen.
  target_id uuid references institution,
  is_default boolean not null default false check (target_id is not null or not is_default),
  content jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (institution_id, id)
);
-- A clinic has one default for each lab, and each person one of their own, which takes precedence.
create unique index order_template_default on order_template (institution_id, target_id) where is_default and for_all;
create unique index order_template_own_default on order_template (institution_id, user_id, target_id)
  where is_default and not for_all;
select arcada_wall('order_template', 'institution_id = arcada_iid() and (for_all or user_id = arcada_uid())');

-- What the words of a laboratory's CAD programs mean in an order. Clinics that are connected read them with a case.
create table order_lab_words (
  institution_id uuid not null references institution,
  words jsonb not null,
  version int not null default 1,
  saved_by uuid not null references users,
  saved_at timestamptz not null default now(),
  primary key (institution_id)
);
select arcada_wall('order_lab_words', 'institution_id = arcada_iid()');
create policy connected on order_lab_words for select to arcada_app using (exists (
  select from relation r where r.state = 'established'
    and least(r.institution_id, r.target_id) = least(order_lab_words.institution_id, arcada_iid())
    and greatest(r.institution_id, r.target_id) = greatest(order_lab_words.institution_id, arcada_iid())));

-- A project of a laboratory without its case, from which exported exocad projects start.
create table order_lab_template (
  institution_id uuid not null references institution,
  name text not null,
  -- XML without patient, practice, notes and numbers.
  content text not null,
  has_materials boolean not null,
  kinds jsonb not null,
  added_by uuid not null references users,
  added_at timestamptz not null default now(),
  primary key (institution_id)
);
select arcada_wall('order_lab_template', 'institution_id = arcada_iid()');

-- A download of an order's files as one archive. It is written while it is read, and stored nowhere.
create table order_download (
  -- The organisation that downloads; for a guest, the organisation that shares.
  institution_id uuid not null references institution,
  id uuid not null,
  sender_id uuid not null,
  order_id uuid not null,
  -- Null: a member downloads.
  share_id uuid,
  -- The member who downloads; null for a guest.
  user_id uuid references users,
  files uuid[] not null,
  language text not null,
  layout text not null default 'folders' check (layout in ('folders', 'exocad', 'threeShape')),
  created_at timestamptz not null default now(),
  primary key (institution_id, id),
  foreign key (sender_id, order_id) references orders on delete cascade,
  foreign key (institution_id, share_id) references share on delete cascade
);
create index order_download_by_age on order_download (created_at);
create index order_download_by_order on order_download (sender_id, order_id);
create index order_download_by_share on order_download (institution_id, share_id) where share_id is not null;
select arcada_wall('order_download', 'institution_id = arcada_iid()', 'select, insert');

-- An order gives its receiver access to its studies in the states in which the receiver reads the whole order, and a
-- child order gives access to the studies of its first sender. This is a function of the role that row-level security
-- does not bind: as subqueries of the policies, PostgreSQL plans the policies of four tables again in each statement
-- about a study, which takes longer than the statement itself (decision 150). It contains the conditions of these
-- policies itself: an order that was not handed over gives nothing.
create function order_gives_study(owner uuid, study uuid) returns boolean
  language plpgsql stable parallel safe security definer set search_path = public, pg_temp as $$
begin
  return exists (
    select from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
    where f.institution_id = owner and f.study_id = study
      and o.receiver_id = arcada_iid() and o.handed_over_at is not null and order_read_by_receiver(o.state))
  or exists (
    select from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
    where f.owner_id = owner and f.study_id = study and f.institution_id <> f.owner_id
      and o.receiver_id = arcada_iid() and o.handed_over_at is not null and order_read_by_receiver(o.state));
end $$;
grant create on schema public to arcada_system;
alter function order_gives_study(uuid, uuid) owner to arcada_system;
revoke create on schema public from arcada_system;
revoke execute on function order_gives_study(uuid, uuid) from public;
grant execute on function order_gives_study(uuid, uuid) to arcada_app;

-- PostgreSQL examines the policies of a table in no documented order (version 18: in the reverse order of their names),
-- so each excludes one's own rows itself: the function costs more than the rest of most statements.
create policy received on study for select to arcada_app
  using (institution_id <> arcada_iid() and order_gives_study(institution_id, id));
create policy received on series for select to arcada_app
  using (institution_id <> arcada_iid() and order_gives_study(institution_id, study_id));
create policy received on instance for select to arcada_app
  using (institution_id <> arcada_iid() and order_gives_study(institution_id, study_id));
create policy received on converted_file for select to arcada_app
  using (institution_id <> arcada_iid() and order_gives_study(institution_id, study_id));
create policy received on study_marks for select to arcada_app
  using (institution_id <> arcada_iid() and order_gives_study(institution_id, study_id));
create policy received on ceph_tracing for select to arcada_app
  using (institution_id <> arcada_iid() and order_gives_study(institution_id, study_id));

-- One view for each side: PostgreSQL scans no index in order below a view that unites both.
create view order_sent as
  select o.institution_id as owner_id, o.id, order_rank(o.state) as rank, o.turn = 'sender' as mine,
    o.info_request is not null as asked,
    o.creator_id as person_id, o.patient_id, o.receiver_id as other_id, o.case_type, o.created_at, o.updated_at,
    coalesce(o.promised_date, o.due_date, 'infinity') as due,
    o.handed_over_at, o.completed_at, o.dispatched_at, o.remake_of, o.remake_class, o.turn
  from orders o where o.institution_id = arcada_iid();

create view order_received as
  select o.institution_id as owner_id, o.id, order_rank(o.state) as rank, o.turn = 'receiver' as mine,
    o.info_request is not null as asked,
    o.assignee_id as person_id, null::uuid as patient_id, o.institution_id as other_id, o.case_type,
    o.created_at, o.updated_at,
    coalesce(o.promised_date, o.due_date, 'infinity') as due,
    o.handed_over_at, o.completed_at, o.dispatched_at, o.remake_of, o.remake_class, o.turn
  from orders o where o.receiver_id = arcada_iid() and o.handed_over_at is not null;

-- Saved settings of a person's order list: filters, sorting and columns under a name. The row without a name holds the
-- columns last used.
create table order_look (
  institution_id uuid not null references institution,
  user_id uuid not null references users,
  id uuid not null,
  name text,
  filter jsonb not null default '{}',
  columns text[],
  standard boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (institution_id, user_id, id)
);
create unique index order_look_by_name on order_look (institution_id, user_id, name) nulls not distinct;
create unique index order_look_standard on order_look (institution_id, user_id) where standard;
select arcada_wall('order_look', 'institution_id = arcada_iid() and user_id = arcada_uid()');

-- The order as it appears in one organisation's list: what does not change with each transition. There is one row for
-- the sender and, from the hand-over on, one for the receiver, with the name that each may know. `worded`: the search
-- columns are complete; the product writes them, since pinyin cannot be computed in SQL.
create table order_entry (
  institution_id uuid not null references institution,
  order_id uuid not null,
  owner_id uuid not null references institution,
  number text collate "C" not null,
  other_id uuid references institution,
  case_type text not null,
  created_at timestamptz(3) not null,
  sort_name text collate "C" not null default '',
  haystack text not null,
  grams text[] not null,
  worded boolean not null default false,
  primary key (institution_id, order_id)
);
create index order_entry_by_number on order_entry (institution_id, number, order_id);
create index order_entry_by_creation on order_entry (institution_id, created_at, order_id);
create index order_entry_by_patient on order_entry (institution_id, sort_name, order_id);
create index order_entry_by_other on order_entry (institution_id, other_id, created_at, order_id);
create index order_entry_by_case on order_entry (institution_id, case_type, created_at, order_id);
create index order_entry_unworded on order_entry (institution_id, order_id) where not worded;
create index order_entry_haystack on order_entry using gin (institution_id, haystack gin_trgm_ops)
  with (fastupdate = off);
create index order_entry_grams on order_entry using gin (institution_id, grams) with (fastupdate = off);
select arcada_wall('order_entry', 'institution_id = arcada_iid()', 'select');

-- Counts the orders in each state. Rows are added up instead of updated, since transactions of one organisation would
-- wait for each other at a single row. A sweeper combines them.
create table order_tally (
  -- No foreign key: a transition writes up to four rows, and each would lock the organisation's row until the commit.
  -- Only triggers of orders write this table, from columns that have the foreign key.
  institution_id uuid not null,
  state text not null,
  -- Whether the order waits for this organisation.
  mine boolean not null,
  n int not null
);
create index order_tally_of on order_tally (institution_id) include (state, mine, n);
select arcada_wall('order_tally', 'institution_id = arcada_iid()', 'select');

create view order_entry_of as
  select e.reader as institution_id, o.id as order_id, o.institution_id as owner_id, o.number,
    e.other as other_id, o.case_type, o.created_at,
    coalesce(e.sort_name, '') as sort_name, order_haystack(o.number) || coalesce(E'\n' || e.haystack, '') as haystack,
    order_grams(o.number) || coalesce(e.grams, '{}') as grams, e.haystack is not null as worded
  from orders o left join patient p on p.institution_id = o.institution_id and p.id = o.patient_id,
  lateral (
    select o.institution_id as reader, o.receiver_id as other, p.sort_name, p.haystack, p.grams
    union all
    select o.receiver_id, o.institution_id, null, null, null where o.handed_over_at is not null
  ) e;

-- Row-level security keeps LIKE and @> away from the indexes (decision 5), so this view contains the tenant condition
-- itself.
create view order_entry_mine as select * from order_entry where institution_id = arcada_iid();

grant create on schema public to arcada_system;
alter view order_sent owner to arcada_system;
alter view order_received owner to arcada_system;
alter view order_entry_of owner to arcada_system;
alter view order_entry_mine owner to arcada_system;
revoke create on schema public from arcada_system;
grant select on order_sent, order_received, order_entry_mine to arcada_app;

create function order_was_made() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_entry
    select e.* from made n join order_entry_of e on e.owner_id = n.institution_id and e.order_id = n.id;
  insert into order_tally
    select institution_id, state, turn = 'sender', count(*) from made group by 1, 2, 3
    union all
    select receiver_id, state, turn = 'receiver', count(*) from made where handed_over_at is not null group by 1, 2, 3;
  return null;
end $$;

create function order_was_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_entry
    select e.* from order_entry_of e where e.owner_id = new.institution_id and e.order_id = new.id
    on conflict (institution_id, order_id) do update set other_id = excluded.other_id, case_type = excluded.case_type,
      sort_name = excluded.sort_name, haystack = excluded.haystack, grams = excluded.grams, worded = excluded.worded;
  return null;
end $$;

create function order_was_moved() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_tally
  select v.* from (
    select institution_id, state, mine, sum(n) as n from (values
      (old.institution_id, old.state, old.turn = 'sender', -1),
      (new.institution_id, new.state, new.turn = 'sender', 1),
      (case when old.handed_over_at is not null then old.receiver_id end, old.state, old.turn = 'receiver', -1),
      (case when new.handed_over_at is not null then new.receiver_id end, new.state, new.turn = 'receiver', 1)
    ) as each_side (institution_id, state, mine, n)
    where institution_id is not null group by 1, 2, 3
  ) v where v.n <> 0;
  return null;
end $$;

create function order_was_removed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from order_entry e using gone g where e.order_id = g.id and e.institution_id in (g.institution_id, g.receiver_id);
  insert into order_tally
    select institution_id, state, turn = 'sender', -count(*) from gone group by 1, 2, 3
    union all
    select receiver_id, state, turn = 'receiver', -count(*) from gone where handed_over_at is not null group by 1, 2, 3;
  return null;
end $$;

-- The sender's list follows the current name in the patient's record.
create function order_patient_renamed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update order_entry e set sort_name = new.sort_name,
    haystack = order_haystack(e.number) || E'\n' || new.haystack, grams = order_grams(e.number) || new.grams
  from orders o where o.institution_id = new.institution_id and o.patient_id = new.id
    and e.institution_id = new.institution_id and e.order_id = o.id;
  return null;
end $$;

grant create on schema public to arcada_system;
alter function order_was_made() owner to arcada_system;
alter function order_was_changed() owner to arcada_system;
alter function order_was_moved() owner to arcada_system;
alter function order_was_removed() owner to arcada_system;
alter function order_patient_renamed() owner to arcada_system;
revoke create on schema public from arcada_system;

create trigger made after insert on orders referencing new table as made for each statement
  execute function order_was_made();
create trigger removed after delete on orders referencing old table as gone for each statement
  execute function order_was_removed();
create trigger moved after update on orders for each row
  when ((old.state, old.turn, old.receiver_id, old.handed_over_at is null)
    is distinct from (new.state, new.turn, new.receiver_id, new.handed_over_at is null))
  execute function order_was_moved();
create trigger changed after update on orders for each row
  when ((old.receiver_id, old.case_type, old.patient_id, old.patient_name, old.patient_number, old.handed_over_at is null)
   
    is distinct from (new.receiver_id, new.case_type, new.patient_id, new.patient_name, new.patient_number, new.handed_over_at is null))
  execute function order_was_changed();
create trigger renamed after update on patient for each row
  when ((old.haystack, old.sort_name)
    is distinct from (new.haystack, new.sort_name)) execute function order_patient_renamed();

-- How to reach the two sides of an order. It runs as arcada_system, since phone numbers are outside the tenant scope of
-- the reader. A phone number is shown only while its owner works there.
create function arcada_order_contacts(house uuid, wanted uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_object_agg(one.side, case when i.id is not null then jsonb_build_object(
    'person', (select coalesce(nullif(u.nick_name, ''), u.user_name) from users u where u.id = one.person),
    'phone', (select coalesce(nullif(u.work_phone, ''), case when i.share_phones then
          coalesce(c.country_code || ' ', '') || substr(c.value, length(coalesce(c.country_code, '')) + 1) end)
        from membership m join users u on u.id = m.user_id
        left join contact c on c.user_id = u.id and c.kind = 'phone'
        where m.institution_id = i.id and m.user_id = one.person and m.state = 'normal'),
    'contactPerson', i.contact_person, 'contactWay', i.contact_way, 'address', i.address) end)
  from orders o
  cross join lateral (values ('sender', o.institution_id, o.creator_id), ('receiver', o.receiver_id, o.assignee_id))
    one (side, institution_id, person)
  left join institution i on i.id = one.institution_id
  where o.institution_id = house and o.id = wanted
    and (o.institution_id = arcada_iid() or o.receiver_id = arcada_iid() and o.handed_over_at is not null)
$$;
-- The timeline of an order for its sender, or for its receiver from the hand-over on. The right to read it is checked once
-- for the order; the policies of the table check it for each entry. The plan is kept for a timeline of any length. Arrays
-- take two thirds of the time of objects.
create function arcada_order_timeline(house uuid, wanted uuid) returns json
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return (
    select json_agg(json_build_array(e.id, e.at, e.action, e.from_state, e.to_state,
        coalesce(nullif(u.nick_name, ''), u.user_name),
        e.side, e.text, e.revision, e.changed, e.code, e.faults) order by e.seq)
    from orders o
    join order_event e on e.institution_id = o.institution_id and e.order_id = o.id
    left join users u on u.id = e.user_id
    where o.institution_id = house and o.id = wanted
      and (o.institution_id = arcada_iid()
        or o.receiver_id = arcada_iid() and o.handed_over_at is not null and not e.inner_only));
end $$;
grant create on schema public to arcada_system;
alter function arcada_order_contacts(uuid, uuid) owner to arcada_system;
alter function arcada_order_timeline(uuid, uuid) owner to arcada_system;
revoke create on schema public from arcada_system;
revoke execute on function arcada_order_contacts(uuid, uuid), arcada_order_timeline(uuid, uuid) from public;
grant execute on function arcada_order_contacts(uuid, uuid), arcada_order_timeline(uuid, uuid) to arcada_app, arcada_system;
