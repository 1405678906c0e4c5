-- Links by which somebody without an account sees one thing. The secret is kept as its hash alone.
create table share (
  institution_id uuid not null references institution,
  id uuid not null,
  kind text not null check (kind in ('study')),
  thing_id uuid not null,
  -- Whose the thing was when the link was made: given to another patient, it is not what was shared.
  patient_id uuid not null,
  label text not null,
  secret_hash text not null unique,
  factor text not null check (factor in ('none', 'email', 'phone', 'birthDate', 'phrase')),
  -- Keyed hash of what is asked for, as it was when the link was made; of an e-mail's codes see below.
  factor_hash text,
  email text,
  nameless boolean not null,
  may_download boolean not null,
  state text not null default 'active' check (state in ('active', 'locked', 'cancelled', 'expired')),
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  failures int not null default 0,
  -- The newest wrong answers.
  failed_at timestamptz[] not null default '{}',
  code_hash text,
  code_until timestamptz,
  code_tries int not null default 0,
  codes_at timestamptz[] not null default '{}',
  opens int not null default 0,
  last_open_at timestamptz,
  primary key (institution_id, id),
  check ((factor = 'none' or factor = 'email') = (factor_hash is null)),
  check ((factor = 'email') = (email is not null)),
  -- Who the patient is opens to nobody by the link alone.
  check (nameless or factor <> 'none')
);
create index share_by_age on share (institution_id, created_at desc, id desc);
create index share_by_thing on share (institution_id, thing_id);
create index share_due on share (expires_at) where state in ('active', 'locked');
select arcada_wall('share', 'institution_id = arcada_iid()');

-- Somebody who looks by a link: half an hour, by two halves of which a page holds one and a cookie the other.
create table share_visit (
  id uuid primary key,
  institution_id uuid not null,
  share_id uuid not null,
  token_hash text not null,
  cookie_hash text not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  foreign key (institution_id, share_id) references share on delete cascade
);
create index share_visit_by_age on share_visit (expires_at);
create index share_visit_by_share on share_visit (institution_id, share_id);
select arcada_wall('share_visit', 'institution_id = arcada_iid()');

create table share_event (
  institution_id uuid not null,
  share_id uuid not null,
  seq bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  what text not null,
  user_id uuid references users,
  -- Keyed hash of a visitor's address.
  address text,
  agent text,
  primary key (institution_id, share_id, seq),
  foreign key (institution_id, share_id) references share on delete cascade
);
select arcada_wall('share_event', 'institution_id = arcada_iid()', 'select, insert');

-- Null: a visitor by a link, of whom nothing is known.
alter table study_download alter column user_id drop not null;
