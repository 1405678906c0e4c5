-- A child order is made by a lab, which has no patient records: whom it is about comes with it, as the lab was told.
alter table orders alter column patient_id drop not null;
alter table orders add constraint orders_about_somebody check (patient_id is not null or parent_id is not null);
-- Of a child: the work goes straight to the parent's sender, who may know by whom it is made.
alter table orders add column straight boolean not null default false;
alter table orders add column named_above boolean not null default false;
-- The open proposal to change the prescription.
alter table orders add column change_request uuid;
alter table orders add column remake_class text;
alter table orders add column remake_bears text;
-- The last day after its dispatch on which the sender was reminded of a receipt.
alter table orders add column receipt_reminded int not null default 0;
create index orders_children on orders (parent_id) where parent_id is not null;
create index orders_remakes on orders (remake_of) where remake_of is not null;
create index orders_copies on orders (copied_from) where copied_from is not null;

alter table order_event add column code text;
alter table order_event add column faults jsonb;
-- Files that came with a proposal; they belong to the order once it is accepted.
alter table order_file add column proposal_id uuid;

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
create policy received on order_proposal for select to arcada_app using (exists (
  select from orders o where o.institution_id = order_proposal.institution_id and o.id = order_proposal.order_id
    and o.receiver_id = arcada_iid() and order_read_by_receiver(o.state)));
create policy decided on order_proposal for update to arcada_app using (exists (
  select from orders o where o.institution_id = order_proposal.institution_id and o.id = order_proposal.order_id and o.receiver_id = arcada_iid()));

-- Days after which a receipt that nobody confirms closes by itself; null: never.
alter table institution add column receipt_days int default 30 check (receipt_days between 14 and 90);

-- A child order brings the studies of its first sender to a lab that this one does not know.
create index order_file_lent on order_file (owner_id, study_id) where study_id is not null and institution_id <> owner_id;
create policy forwarded on study for select to arcada_app using (exists (
  select from order_file f join orders o on o.institution_id = f.institution_id and o.id = f.order_id
  where f.owner_id = study.institution_id and f.study_id = study.id and f.institution_id <> f.owner_id
    and o.receiver_id = arcada_iid() and o.handed_over_at is not null and order_read_by_receiver(o.state)));
