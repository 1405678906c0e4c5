-- Relationships between clinics and laboratories.

create table relation (
  id uuid primary key,
  institution_id uuid not null references institution,
  target_id uuid not null references institution,
  state text not null,
  requested_by uuid not null references users,
  requested_at timestamptz not null default now(),
  resent_at timestamptz,
  decided_at timestamptz,
  established_at timestamptz,
  left_by uuid references institution,
  left_at timestamptz,
  reason text,
  hidden_by uuid[] not null default '{}',
  version int not null default 0,
  ended_at timestamptz,
  -- What each side allows for the orders that it sends: {"<organisation>": {"mayForward": true}}.
  terms jsonb not null default '{}',
  check (institution_id <> target_id)
);
-- Two organisations have at most one open relationship, whichever of them requested it.
create unique index relation_living on relation (least(institution_id, target_id), greatest(institution_id, target_id))
  where state in ('requested', 'established', 'closing');
create index relation_by_target on relation (target_id);
create index relation_by_institution on relation (institution_id);
-- A periodic job looks for relationships that can end.
create index relation_closing on relation (left_at) where state = 'closing';
select arcada_wall('relation', 'institution_id = arcada_iid() or target_id = arcada_iid()', 'select, insert, update');
-- One policy for each command replaces the default.
drop policy own on relation;
create policy seen on relation for select to arcada_app using (arcada_iid() in (institution_id, target_id));
create policy asked on relation for insert to arcada_app with check (institution_id = arcada_iid());
create policy moved on relation for update to arcada_app
  using (arcada_iid() in (institution_id, target_id)) with check (arcada_iid() in (institution_id, target_id));

-- The history of a relationship. institution_id is the side that acted; null: the system.
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
select arcada_wall('relation_event', 'exists (select from relation r where r.id = relation_event.relation_id)',
  'select, insert');
-- One policy for each command replaces the default.
drop policy own on relation_event;
create policy seen on relation_event for select to arcada_app
  using (exists (select from relation r where r.id = relation_event.relation_id));
create policy acted on relation_event for insert to arcada_app
  with check (institution_id = arcada_iid() and exists (select from relation r where r.id = relation_event.relation_id));

-- Somebody was invited by email to join with their organisation. The request waits for that organisation.
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
