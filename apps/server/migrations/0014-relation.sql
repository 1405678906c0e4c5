alter table relation add column ended_at timestamptz;
-- What each side allows for the orders that it sends: {"<organisation>": {"mayForward": true}}.
alter table relation add column terms jsonb not null default '{}';
-- The periodic look for relationships that can end.
create index relation_closing on relation (left_at) where state = 'closing';
-- Open orders between two organisations, for the network and for the end of a relationship.
create index orders_between on orders (institution_id, receiver_id)
  where handed_over_at is not null and state not in ('completed', 'cancelled', 'refused');

-- What happened to a relationship. institution_id is the side that acted; null: the system.
create table relation_event (
  relation_id uuid not null references relation,
  id uuid primary key,
  seq bigint generated always as identity,
  institution_id uuid references institution,
  user_id uuid references users,
  at timestamptz not null default clock_timestamp(),
  action text not null,
  to_state text not null,
  reason text
);
create index relation_event_by_relation on relation_event (relation_id, seq);
select arcada_wall('relation_event', 'exists (select from relation r where r.id = relation_event.relation_id)', 'select, insert');
drop policy own on relation_event;
create policy seen on relation_event for select to arcada_app
  using (exists (select from relation r where r.id = relation_event.relation_id));
create policy acted on relation_event for insert to arcada_app
  with check (institution_id = arcada_iid() and exists (select from relation r where r.id = relation_event.relation_id));

-- Somebody asked by e-mail to come with their organisation; the request waits for it.
create table relation_invitation (
  institution_id uuid not null references institution,
  id uuid not null,
  email text not null,
  name text,
  invited_by uuid not null references users,
  state text not null default 'waiting' check (state in ('waiting', 'answered', 'withdrawn')),
  relation_id uuid references relation,
  created_at timestamptz not null default now(),
  primary key (institution_id, id)
);
create unique index relation_invitation_once on relation_invitation (institution_id, email) where state = 'waiting';
create index relation_invitation_by_email on relation_invitation (email) where state = 'waiting';
create index relation_invitation_by_day on relation_invitation (institution_id, created_at);
select arcada_wall('relation_invitation', 'institution_id = arcada_iid()', 'select, insert, update');

-- The after-sales people's list: clinics in the order of their names, page by page.
create index institution_clinics on institution (lower(name) collate "C", id) where type = 'clinic';
