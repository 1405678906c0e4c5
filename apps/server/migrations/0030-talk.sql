-- Up to which message of an order each person has read.
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
create policy received on order_reading to arcada_app using (exists (
  select from orders o where o.institution_id = order_reading.institution_id and o.id = order_reading.order_id and o.receiver_id = arcada_iid()));

-- What came with a message is a file of the order like all others.
alter table order_file add column message_id uuid;

-- Comments at places of models. They belong to the content of the file, its SHA-256: another revision is another surface.
create table order_pin (
  institution_id uuid not null,
  order_id uuid not null,
  id uuid not null,
  number int not null,
  file_id uuid not null,
  surface text not null,
  -- In the file's own space, mm.
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
create policy received on order_pin to arcada_app using (exists (
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
create policy received on order_pin_answer to arcada_app using (exists (
  select from orders o where o.institution_id = order_pin_answer.institution_id and o.id = order_pin_answer.order_id
    and o.receiver_id = arcada_iid() and order_read_by_receiver(o.state)));

-- Pictures for the screen of files that came with orders and belong to no study; side: of the square that holds them, pixels.
create table order_picture (
  institution_id uuid not null references institution,
  original text not null check (original ~ '^[0-9a-f]{64}$'),
  side int not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (institution_id, original, side)
);
create index order_picture_by_content on order_picture (institution_id, sha256);
select arcada_wall('order_picture', 'institution_id = arcada_iid()');
create policy received on order_picture for select to arcada_app using (exists (
  select from order_file f where f.owner_id = order_picture.institution_id and f.sha256 = order_picture.original));

-- The rest of a prescription, which the order holds in columns of its own; unknown of older revisions.
alter table order_rx add column case_type text;
alter table order_rx add column due_date date;
