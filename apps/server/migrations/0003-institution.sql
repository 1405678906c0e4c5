create table institution (
  id uuid primary key,
  number text not null unique,
  name text not null,
  type text not null check (type in ('clinic', 'lab')),
  country text not null,
  address text,
  contact_person text,
  contact_way text,
  longitude double precision,
  latitude double precision,
  hide_patient_names boolean not null default false,
  auto_accept_relations boolean not null default false,
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index institution_name on institution using gin (lower(name) gin_trgm_ops);
select arcada_wall('institution', 'true', 'select, insert, update');
drop policy own on institution;
create policy found on institution for select to arcada_app using (true);
create policy made on institution for insert to arcada_app with check (created_by = arcada_uid());
create policy managed on institution for update to arcada_app using (id = arcada_iid()) with check (id = arcada_iid());

-- Who may work where; institution_id is null for roles of the whole platform.
create table membership (
  id uuid primary key,
  institution_id uuid references institution,
  user_id uuid not null references users,
  authority_id int not null,
  state text not null check (state in ('normal', 'deleted', 'exited')),
  joined_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index membership_normal on membership (institution_id, user_id) where state = 'normal';
create index membership_by_user on membership (user_id) where state = 'normal';
select arcada_wall('membership', 'institution_id = arcada_iid() or user_id = arcada_uid()', 'select');

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
  check (institution_id <> target_id)
);
-- One living relationship between two organisations, whoever asked.
create unique index relation_living on relation (least(institution_id, target_id), greatest(institution_id, target_id))
  where state in ('requested', 'established', 'closing');
create index relation_by_target on relation (target_id);
create index relation_by_institution on relation (institution_id);
select arcada_wall('relation', 'institution_id = arcada_iid() or target_id = arcada_iid()', 'select, insert, update');
drop policy own on relation;
create policy seen on relation for select to arcada_app using (arcada_iid() in (institution_id, target_id));
create policy asked on relation for insert to arcada_app with check (institution_id = arcada_iid());
create policy moved on relation for update to arcada_app
  using (arcada_iid() in (institution_id, target_id)) with check (arcada_iid() in (institution_id, target_id));
